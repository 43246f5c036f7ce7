"""A subgraph that sends events by Strawberry, as its documentation shows one: an ASGI application behind uvicorn."""

import asyncio
import os
from collections.abc import AsyncGenerator
from typing import Optional

import strawberry
import uvicorn
from strawberry.asgi import GraphQL

LISTENERS: set[asyncio.Queue[str]] = set()


@strawberry.federation.type(keys=["upc"])
class Product:
    upc: strawberry.ID

    @strawberry.field
    def strawberry_fragile(self) -> Optional[str]:
        if self.upc == "bad":
            raise ValueError("It is broken.")
        return f"fragile {self.upc}"


@strawberry.type
class Query:
    @strawberry.field
    def strawberry_open(self) -> int:
        return len(LISTENERS)


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def strawberry_send(self, what: str) -> bool:
        for queue in LISTENERS:
            queue.put_nowait(what)
        return True


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def strawberry_changed(self) -> AsyncGenerator[Optional[Product], None]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        LISTENERS.add(queue)
        try:
            while (what := await queue.get()) != "end":
                if what == "throw":
                    raise ValueError("The source is broken.")
                yield Product(upc=strawberry.ID(what))
        finally:
            LISTENERS.discard(queue)


schema = strawberry.federation.Schema(query=Query, mutation=Mutation, subscription=Subscription)

if __name__ == "__main__":
    uvicorn.run(GraphQL(schema), host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
