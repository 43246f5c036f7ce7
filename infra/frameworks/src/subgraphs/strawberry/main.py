"""The subgraph `stock`, as the documentation of Strawberry shows one: code first, served as an ASGI application."""

import datetime
import enum
import json
import os
from typing import Annotated, Any, Optional

import strawberry
import uvicorn
from graphql import GraphQLError
from strawberry.asgi import GraphQL
from strawberry.scalars import JSON

with open(os.environ["SHOP_DATA"], encoding="utf-8") as file:
    DATA = json.load(file)
STOCK = {row["book"]: row for row in DATA["stock"]}
GADGETS = {(row["maker"], row["model"]): row for row in DATA["gadgetStock"]}


@strawberry.enum
class Currency(enum.Enum):
    EUR = "EUR"
    NOK = "NOK"
    USD = "USD"


@strawberry.federation.type(shareable=True)
class Money:
    amount: float
    currency: Currency


@strawberry.federation.type(shareable=True)
class Maker:
    code: strawberry.ID


@strawberry.federation.type(keys=["id"])
class Book:
    id: strawberry.ID
    price: Optional[Money] = strawberry.federation.field(external=True, default=None)

    @classmethod
    def resolve_reference(cls, id: strawberry.ID, price: Optional[dict[str, Any]] = None) -> "Book":
        if id in DATA["uncounted"]:
            raise GraphQLError(f'The stock of "{id}" is being counted.', extensions={"code": "COUNTING", "hours": 2})
        money = None
        if price is not None:
            money = Money(amount=price["amount"], currency=Currency(price["currency"]))
        return cls(id=id, price=money)

    @strawberry.federation.field(override="catalog")
    def in_stock(self) -> int:
        return STOCK[self.id]["inStock"] if self.id in STOCK else 0

    @strawberry.field
    def restocked(self) -> Optional[datetime.date]:
        date = STOCK[self.id]["restocked"] if self.id in STOCK else None
        return None if date is None else datetime.date.fromisoformat(date)

    @strawberry.federation.field(requires=["price { amount currency }"])
    def discounted(self, percent: int = 10) -> Optional[Money]:
        if self.price is None:
            return None
        return Money(amount=self.price.amount * (100 - percent) / 100, currency=self.price.currency)

    @strawberry.field
    def attributes(self) -> JSON:
        return {"id": self.id, "sizes": [1, 2.5, None], "nested": {"fits": True}}


@strawberry.federation.type(keys=["maker { code } model"])
class Gadget:
    maker: Maker
    model: int

    @classmethod
    def resolve_reference(cls, maker: dict[str, Any], model: int) -> Optional["Gadget"]:
        if (maker["code"], model) not in GADGETS:
            return None
        return cls(maker=Maker(code=maker["code"]), model=model)

    @strawberry.field
    def in_stock(self) -> int:
        return GADGETS[(self.maker.code, self.model)]["inStock"]


Stocked = Annotated[Book | Gadget, strawberry.union("Stocked")]


@strawberry.federation.type(keys=["country number"])
class Warehouse:
    country: str
    number: int
    city: str
    internal_name: str = strawberry.federation.field(inaccessible=True, tags=["internal"], default="")

    @classmethod
    def resolve_reference(cls, country: str, number: int) -> Optional["Warehouse"]:
        return find_warehouse(country, number)

    @strawberry.field
    def books(self) -> list[Book]:
        row = find_row(self.country, self.number)
        return [Book(id=strawberry.ID(id)) for id in row["holds"]]


def find_row(country: str, number: int) -> Optional[dict[str, Any]]:
    rows = (row for row in DATA["warehouses"] if row["country"] == country and row["number"] == number)
    return next(rows, None)


def find_warehouse(country: str, number: int) -> Optional[Warehouse]:
    row = find_row(country, number)
    return None if row is None else Warehouse(country=country, number=number, city=row["city"])


@strawberry.input
class WarehouseKey:
    country: str
    number: int = 1


@strawberry.type
class Query:
    @strawberry.field
    def warehouses(self) -> list[Warehouse]:
        return [Warehouse(country=row["country"], number=row["number"], city=row["city"]) for row in DATA["warehouses"]]

    @strawberry.field
    def warehouse(self, key: WarehouseKey) -> Optional[Warehouse]:
        return find_warehouse(key.country, key.number)

    @strawberry.field
    def stocked(self, at_least: int = 1) -> list[Stocked]:
        books = [Book(id=strawberry.ID(row["book"])) for row in DATA["stock"] if row["inStock"] >= at_least]
        gadgets = [
            Gadget(maker=Maker(code=strawberry.ID(row["maker"])), model=row["model"])
            for row in DATA["gadgetStock"]
            if row["inStock"] >= at_least
        ]
        return [*books, *gadgets]


# Entities that are only members of a union are not found by themselves: without `types`, `_Entity` is without Gadget.
schema = strawberry.federation.Schema(query=Query, types=[Gadget])

if __name__ == "__main__":
    uvicorn.run(GraphQL(schema), host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
