/**
 * What may go wrong in an operation with `@defer`, and the parts that clients get then, as
 * `support/drawn-stream.ts` draws them. The word in a line is
 *
 *     any     what comes first, whatever happens: the lines below begin with it
 *     null    the subgraph sends null for the field in trouble of item B
 *     error   the same with an error of GraphQL
 *     lost    all that the subgraph is asked is lost: HTTP 500, no answer in time, no connection, no JSON
 *
 * and the end of a line says how often a subgraph was called, or the mutation executed.
 */
export type Situation = {
  readonly what: string
  /** `$` stands for the first word of each line. */
  readonly query: string
  /** Subgraph and field. */
  readonly trouble: string
  /** A subgraph that answers only when the first fragment was delivered. */
  readonly held?: 'stars' | 'stock'
  readonly streams: string
}

export const SITUATIONS: readonly Situation[] = [
  {
    what: 'a field of the fragment that may be null',
    query: '{ $ { name ...@defer { count } } }',
    trouble: 'stock.count',
    streams: `
      item  | any   | {item:{name:b}} +1(item)
      item  | null  | 1{count:null} done 1
      item  | error | 1{count:null} !item.count=FAULT done 1
      item  | lost  | 1{count:null} !item.count=FAULT done 1
      items | any   | {items:[{name:a},{name:b}]} +1(items)
      items | null  | 1/0{count:1} 1/1{count:null} done 1
      items | error | 1/0{count:1} 1/1{count:null} !items.1.count=FAULT done 1
      items | lost  | 1/0{count:null} !items.0.count=FAULT 1/1{count:null} !items.1.count=FAULT done 1
      grid  | any   | {grid:[[{name:a}],null,[{name:b}]]} +1(grid)
      grid  | null  | 1/0/0{count:1} 1/2/0{count:null} done 1
      grid  | error | 1/0/0{count:1} 1/2/0{count:null} !grid.2.0.count=FAULT done 1
      grid  | lost  | 1/0/0{count:null} !grid.0.0.count=FAULT 1/2/0{count:null} !grid.2.0.count=FAULT done 1`,
  },
  {
    what: 'a field of the fragment that may not be null',
    query: '{ $ { name ...@defer { must } } }',
    trouble: 'stock.must',
    streams: `
      item  | any   | {item:{name:b}} +1(item)
      item  | null  | failed 1 !item.must=NULL
      item  | error | failed 1 !item.must=FAULT
      item  | lost  | failed 1 !item.must=FAULT
      items | any   | {items:[{name:a},{name:b}]} +1(items)
      items | null  | 1/0{must:3} failed 1 !items.1.must=NULL
      items | error | 1/0{must:3} failed 1 !items.1.must=FAULT
      items | lost  | failed 1 !items.0.must=FAULT !items.1.must=FAULT
      grid  | any   | {grid:[[{name:a}],null,[{name:b}]]} +1(grid)
      grid  | null  | 1/0/0{must:3} failed 1 !grid.2.0.must=NULL
      grid  | error | 1/0/0{must:3} failed 1 !grid.2.0.must=FAULT
      grid  | lost  | failed 1 !grid.0.0.must=FAULT !grid.2.0.must=FAULT`,
  },
  {
    what: 'an object inside the fragment that becomes null, with another fragment on it',
    query: '{ $ { name ...@defer { place { shelf ...@defer { row } } } } }',
    trouble: 'stock.shelf',
    streams: `
      item  | any   | {item:{name:b}} +1(item)
      item  | null  | 1{place:null} !item.place.shelf=NULL done 1
      item  | error | 1{place:null} !item.place.shelf=FAULT done 1
      item  | lost  | 1{place:null} !item.place=FAULT done 1
      items | any   | {items:[{name:a},{name:b}]} +1(items)
      items | null  | 1/0{place:{shelf:5}} 1/1{place:null} !items.1.place.shelf=NULL done 1 +2(items) ; 2/0/place{row:7} done 2
      items | error | 1/0{place:{shelf:5}} 1/1{place:null} !items.1.place.shelf=FAULT done 1 +2(items) ; 2/0/place{row:7} done 2
      items | lost  | 1/0{place:null} !items.0.place=FAULT 1/1{place:null} !items.1.place=FAULT done 1 +2(items) ; done 2 | stock 1
      grid  | any   | {grid:[[{name:a}],null,[{name:b}]]} +1(grid)
      grid  | null  | 1/0/0{place:{shelf:5}} 1/2/0{place:null} !grid.2.0.place.shelf=NULL done 1 +2(grid) ; 2/0/0/place{row:7} done 2
      grid  | error | 1/0/0{place:{shelf:5}} 1/2/0{place:null} !grid.2.0.place.shelf=FAULT done 1 +2(grid) ; 2/0/0/place{row:7} done 2
      grid  | lost  | 1/0/0{place:null} !grid.0.0.place=FAULT 1/2/0{place:null} !grid.2.0.place=FAULT done 1 +2(grid) ; done 2 | stock 1`,
  },
  {
    what: 'a fragment inside one that fails',
    query: '{ $ { name ...@defer { must ...@defer { stars } } } }',
    trouble: 'stock.must',
    streams: `
      item  | any   | {item:{name:b}} +1(item)
      item  | null  | failed 1 !item.must=NULL
      item  | error | failed 1 !item.must=FAULT
      item  | lost  | failed 1 !item.must=FAULT
      items | any   | {items:[{name:a},{name:b}]} +1(items)
      items | null  | 1/0{must:3} failed 1 !items.1.must=NULL +2(items) ; 2/0{stars:9} done 2
      items | error | 1/0{must:3} failed 1 !items.1.must=FAULT +2(items) ; 2/0{stars:9} done 2
      items | lost  | failed 1 !items.0.must=FAULT !items.1.must=FAULT
      grid  | any   | {grid:[[{name:a}],null,[{name:b}]]} +1(grid)
      grid  | null  | 1/0/0{must:3} failed 1 !grid.2.0.must=NULL +2(grid) ; 2/0/0{stars:9} done 2
      grid  | error | 1/0/0{must:3} failed 1 !grid.2.0.must=FAULT +2(grid) ; 2/0/0{stars:9} done 2
      grid  | lost  | failed 1 !grid.0.0.must=FAULT !grid.2.0.must=FAULT`,
  },
  {
    what: 'a fragment beside one that fails',
    query: '{ $ { name ...@defer { must } ...@defer { stars } } }',
    trouble: 'stock.must',
    held: 'stars',
    streams: `
      item  | any   | {item:{name:b}} +1(item) +2(item)
      item  | null  | failed 1 !item.must=NULL ; 2{stars:10} done 2
      item  | error | failed 1 !item.must=FAULT ; 2{stars:10} done 2
      item  | lost  | failed 1 !item.must=FAULT ; 2{stars:10} done 2
      items | any   | {items:[{name:a},{name:b}]} +1(items) +2(items)
      items | null  | 1/0{must:3} failed 1 !items.1.must=NULL ; 2/0{stars:9} 2/1{stars:10} done 2
      items | error | 1/0{must:3} failed 1 !items.1.must=FAULT ; 2/0{stars:9} 2/1{stars:10} done 2
      items | lost  | failed 1 !items.0.must=FAULT !items.1.must=FAULT ; 2/0{stars:9} 2/1{stars:10} done 2
      grid  | any   | {grid:[[{name:a}],null,[{name:b}]]} +1(grid) +2(grid)
      grid  | null  | 1/0/0{must:3} failed 1 !grid.2.0.must=NULL ; 2/0/0{stars:9} 2/2/0{stars:10} done 2
      grid  | error | 1/0/0{must:3} failed 1 !grid.2.0.must=FAULT ; 2/0/0{stars:9} 2/2/0{stars:10} done 2
      grid  | lost  | failed 1 !grid.0.0.must=FAULT !grid.2.0.must=FAULT ; 2/0/0{stars:9} 2/2/0{stars:10} done 2`,
  },
  {
    what: 'a field that two fragments select and that may not be null',
    query: '{ $ { name ...@defer { count must } ...@defer { must stars } } }',
    trouble: 'stock.must',
    streams: `
      item  | any   | {item:{name:b}} +1(item) +2(item)
      item  | null  | failed 1 !item.must=NULL ; failed 2 !item.must=NULL
      item  | error | failed 1 !item.must=FAULT ; failed 2 !item.must=FAULT
      item  | lost  | failed 1 !item.count=FAULT !item.must=FAULT ; failed 2 !item.must=FAULT
      items | any   | {items:[{name:a},{name:b}]} +1(items) +2(items)
      items | null  | 1/0{count:1,must:3} failed 1 !items.1.must=NULL ; 2/0{stars:9} failed 2 !items.1.must=NULL
      items | error | 1/0{count:1,must:3} failed 1 !items.1.must=FAULT ; 2/0{stars:9} failed 2 !items.1.must=FAULT
      items | lost  | failed 1 !items.0.count=FAULT !items.1.count=FAULT !items.0.must=FAULT !items.1.must=FAULT ; failed 2 !items.0.must=FAULT !items.1.must=FAULT
      grid  | any   | {grid:[[{name:a}],null,[{name:b}]]} +1(grid) +2(grid)
      grid  | null  | 1/0/0{count:1,must:3} failed 1 !grid.2.0.must=NULL ; 2/0/0{stars:9} failed 2 !grid.2.0.must=NULL
      grid  | error | 1/0/0{count:1,must:3} failed 1 !grid.2.0.must=FAULT ; 2/0/0{stars:9} failed 2 !grid.2.0.must=FAULT
      grid  | lost  | failed 1 !grid.0.0.count=FAULT !grid.2.0.count=FAULT !grid.0.0.must=FAULT !grid.2.0.must=FAULT ; failed 2 !grid.0.0.must=FAULT !grid.2.0.must=FAULT`,
  },
  {
    what: 'a field that may be null of a fragment that fails, and that another selects, too',
    query: '{ $ { name ...@defer { count must } ...@defer { count stars } } }',
    trouble: 'stock.must',
    streams: `
      item  | any   | {item:{name:b}} +1(item) +2(item)
      item  | null  | failed 1 !item.must=NULL ; 2{count:2,stars:10} done 2
      item  | error | failed 1 !item.must=FAULT ; 2{count:2,stars:10} done 2
      item  | lost  | failed 1 !item.count=FAULT !item.must=FAULT ; 2{count:null,stars:10} done 2
      items | any   | {items:[{name:a},{name:b}]} +1(items) +2(items)
      items | null  | 1/0{count:1,must:3} failed 1 !items.1.must=NULL ; 2/0{stars:9} 2/1{count:2,stars:10} done 2
      items | error | 1/0{count:1,must:3} failed 1 !items.1.must=FAULT ; 2/0{stars:9} 2/1{count:2,stars:10} done 2
      items | lost  | failed 1 !items.0.count=FAULT !items.1.count=FAULT !items.0.must=FAULT !items.1.must=FAULT ; 2/0{count:null,stars:9} 2/1{count:null,stars:10} done 2
      grid  | any   | {grid:[[{name:a}],null,[{name:b}]]} +1(grid) +2(grid)
      grid  | null  | 1/0/0{count:1,must:3} failed 1 !grid.2.0.must=NULL ; 2/0/0{stars:9} 2/2/0{count:2,stars:10} done 2
      grid  | error | 1/0/0{count:1,must:3} failed 1 !grid.2.0.must=FAULT ; 2/0/0{stars:9} 2/2/0{count:2,stars:10} done 2
      grid  | lost  | failed 1 !grid.0.0.count=FAULT !grid.2.0.count=FAULT !grid.0.0.must=FAULT !grid.2.0.must=FAULT ; 2/0/0{count:null,stars:9} 2/2/0{count:null,stars:10} done 2`,
  },
  {
    what: 'a field outside the fragment that may be null',
    query: '{ $ { name count ...@defer { stars } } }',
    trouble: 'stock.count',
    streams: `
      item  | null  | {item:{name:b,count:null}} +1(item) ; 1{stars:10} done 1
      item  | error | {item:{name:b,count:null}} !item.count=FAULT +1(item) ; 1{stars:10} done 1
      item  | lost  | {item:{name:b,count:null}} !item.count=FAULT +1(item) ; 1{stars:10} done 1
      items | null  | {items:[{name:a,count:1},{name:b,count:null}]} +1(items) ; 1/0{stars:9} 1/1{stars:10} done 1
      items | error | {items:[{name:a,count:1},{name:b,count:null}]} !items.1.count=FAULT +1(items) ; 1/0{stars:9} 1/1{stars:10} done 1
      items | lost  | {items:[{name:a,count:null},{name:b,count:null}]} !items.0.count=FAULT !items.1.count=FAULT +1(items) ; 1/0{stars:9} 1/1{stars:10} done 1
      grid  | null  | {grid:[[{name:a,count:1}],null,[{name:b,count:null}]]} +1(grid) ; 1/0/0{stars:9} 1/2/0{stars:10} done 1
      grid  | error | {grid:[[{name:a,count:1}],null,[{name:b,count:null}]]} !grid.2.0.count=FAULT +1(grid) ; 1/0/0{stars:9} 1/2/0{stars:10} done 1
      grid  | lost  | {grid:[[{name:a,count:null}],null,[{name:b,count:null}]]} !grid.0.0.count=FAULT !grid.2.0.count=FAULT +1(grid) ; 1/0/0{stars:9} 1/2/0{stars:10} done 1`,
  },
  {
    what: 'an object outside the fragment that becomes null, with the fragment on it',
    query: '{ $ { name must ...@defer { stars } } }',
    trouble: 'stock.must',
    streams: `
      item  | null  | {item:null} !item.must=NULL | stars 0
      item  | error | {item:null} !item.must=FAULT | stars 0
      item  | lost  | {item:null} !item.must=FAULT | stars 0
      items | null  | {items:[{name:a,must:3},null]} !items.1.must=NULL +1(items) ; 1/0{stars:9} done 1
      items | error | {items:[{name:a,must:3},null]} !items.1.must=FAULT +1(items) ; 1/0{stars:9} done 1
      items | lost  | {items:[null,null]} !items.0.must=FAULT !items.1.must=FAULT +1(items) ; done 1 | stars 0
      grid  | null  | {grid:[[{name:a,must:3}],null,[null]]} !grid.2.0.must=NULL +1(grid) ; 1/0/0{stars:9} done 1
      grid  | error | {grid:[[{name:a,must:3}],null,[null]]} !grid.2.0.must=FAULT +1(grid) ; 1/0/0{stars:9} done 1
      grid  | lost  | {grid:[[null],null,[null]]} !grid.0.0.must=FAULT !grid.2.0.must=FAULT +1(grid) ; done 1 | stars 0
      sure  | null  | null !sure.must=NULL | stars 0
      sure  | error | null !sure.must=FAULT | stars 0
      sure  | lost  | null !sure.must=FAULT | stars 0`,
  },
  {
    what: 'a fragment on the root',
    query: '{ ...@defer { $ { must } } }',
    trouble: 'stock.must',
    streams: `
      item  | null  | {} +1() ; 1{item:null} !item.must=NULL done 1
      item  | error | {} +1() ; 1{item:null} !item.must=FAULT done 1
      item  | lost  | {} +1() ; 1{item:null} !item.must=FAULT done 1
      items | null  | {} +1() ; 1{items:[{must:3},null]} !items.1.must=NULL done 1
      items | error | {} +1() ; 1{items:[{must:3},null]} !items.1.must=FAULT done 1
      items | lost  | {} +1() ; 1{items:[null,null]} !items.0.must=FAULT !items.1.must=FAULT done 1
      grid  | null  | {} +1() ; 1{grid:[[{must:3}],null,[null]]} !grid.2.0.must=NULL done 1
      grid  | error | {} +1() ; 1{grid:[[{must:3}],null,[null]]} !grid.2.0.must=FAULT done 1
      grid  | lost  | {} +1() ; 1{grid:[[null],null,[null]]} !grid.0.0.must=FAULT !grid.2.0.must=FAULT done 1
      sure  | null  | {} +1() ; failed 1 !sure.must=NULL
      sure  | error | {} +1() ; failed 1 !sure.must=FAULT
      sure  | lost  | {} +1() ; failed 1 !sure.must=FAULT`,
  },
  {
    what: 'a fragment on what is not there from the beginning',
    query: '{ $ { name ...@defer { count } } }',
    trouble: 'shop.$',
    streams: `
      item  | null  | {item:null}                | stock 0
      item  | error | {item:null} !item=FAULT    | stock 0
      item  | lost  | {item:null} !item=FAULT | stock 0
      items | null  | {items:null}               | stock 0
      items | error | {items:null} !items=FAULT  | stock 0
      items | lost  | {items:null} !items=FAULT  | stock 0
      grid  | null  | {grid:null}                | stock 0
      grid  | error | {grid:null} !grid=FAULT    | stock 0
      grid  | lost  | {grid:null} !grid=FAULT    | stock 0
      sure  | null  | null !sure=NULL            | stock 0
      sure  | error | null !sure=FAULT           | stock 0
      sure  | lost  | null !sure=FAULT | stock 0`,
  },
  {
    what: 'nested fragments below a mutation field',
    query: 'mutation { $ { name ...@defer { color place { shelf ...@defer { row } } } } }',
    trouble: 'stock.shelf',
    streams: `
      order | any   | {order:{name:b}} +1(order)
      order | null  | 1{color:blue,place:null} !order.place.shelf=NULL done 1  | order 1
      order | error | 1{color:blue,place:null} !order.place.shelf=FAULT done 1 | order 1
      order | lost  | 1{color:blue,place:null} !order.place=FAULT done 1 | order 1`,
  },
  {
    what: 'a fragment inside one that fails, below a mutation field',
    query: 'mutation { $ { name ...@defer { must ...@defer { color } } ...@defer { stars } } }',
    trouble: 'stock.must',
    held: 'stars',
    streams: `
      order | any   | {order:{name:b}} +1(order) +3(order)
      order | null  | failed 1 !order.must=NULL ; 3{stars:10} done 3  | order 1
      order | error | failed 1 !order.must=FAULT ; 3{stars:10} done 3 | order 1
      order | lost  | failed 1 !order.must=FAULT ; 3{stars:10} done 3 | order 1`,
  },
  {
    what: 'a mutation that fails',
    query: 'mutation { $ { name ...@defer { count ...@defer { color } } } }',
    trouble: 'shop.order',
    streams: `
      order | null  | {order:null}               | shop 1
      order | error | {order:null} !order=FAULT  | shop 1
      order | lost  | {order:null} !order=FAULT  | stock 0`,
  },
]
