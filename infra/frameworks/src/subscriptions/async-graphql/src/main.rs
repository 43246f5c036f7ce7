//! A subgraph that sends events, as the documentation of async-graphql shows one: a stream for each subscription.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use async_graphql::{Context, ID, Object, Result, Schema, Subscription};
use async_graphql_axum::{GraphQL, GraphQLSubscription};
use axum::{Router, routing::get_service};
use futures_util::{Stream, StreamExt, stream};
use tokio::net::TcpListener;
use tokio::sync::broadcast::{Receiver, Sender, channel};

/// Tells all who have subscribed what to send: the key of a product, "end" or "throw".
struct Changes {
    sender: Sender<String>,
    open: Arc<AtomicI32>,
}

/// Counts a subscription until it is dropped.
struct Listener {
    receiver: Receiver<String>,
    open: Arc<AtomicI32>,
    is_over: bool,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }
}

struct Product(ID);

#[Object]
impl Product {
    async fn upc(&self) -> &ID {
        &self.0
    }

    async fn rust_fragile(&self) -> Result<Option<String>> {
        match self.0.as_str() {
            "bad" => Err("It is broken.".into()),
            upc => Ok(Some(format!("fragile {upc}"))),
        }
    }
}

struct Query;

#[Object]
impl Query {
    async fn rust_open(&self, context: &Context<'_>) -> i32 {
        context
            .data_unchecked::<Changes>()
            .open
            .load(Ordering::SeqCst)
    }

    #[graphql(entity)]
    async fn product(&self, upc: ID) -> Product {
        Product(upc)
    }
}

struct Mutation;

#[Object]
impl Mutation {
    async fn rust_send(&self, context: &Context<'_>, what: String) -> bool {
        context
            .data_unchecked::<Changes>()
            .sender
            .send(what)
            .is_ok()
    }
}

struct Subscriptions;

#[Subscription(name = "Subscription")]
impl Subscriptions {
    async fn rust_changed(
        &self,
        context: &Context<'_>,
    ) -> impl Stream<Item = Result<Option<Product>>> + use<> {
        let changes = context.data_unchecked::<Changes>();
        changes.open.fetch_add(1, Ordering::SeqCst);
        let receiver = changes.sender.subscribe();
        let listener = Listener {
            receiver,
            open: changes.open.clone(),
            is_over: false,
        };
        stream::unfold(listener, |mut listener| async move {
            if listener.is_over {
                return None;
            }
            let what = listener.receiver.recv().await.ok()?;
            listener.is_over = what == "throw";
            match what.as_str() {
                "end" => None,
                "throw" => Some((Err("The source is broken.".into()), listener)),
                upc => Some((Ok(Some(Product(upc.into()))), listener)),
            }
        })
        .boxed()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (sender, _) = channel(100);
    let schema = Schema::build(Query, Mutation, Subscriptions)
        .enable_federation()
        .enable_subscription_in_federation()
        .data(Changes {
            sender,
            open: Arc::default(),
        })
        .finish();
    let app = Router::new().route(
        "/graphql",
        get_service(GraphQLSubscription::new(schema.clone())).post_service(GraphQL::new(schema)),
    );
    let port = std::env::var("PORT").expect("PORT is the port to listen at");
    let listener = TcpListener::bind(format!("127.0.0.1:{port}"))
        .await
        .expect("the port is free");
    axum::serve(listener, app).await.expect("the server runs");
}
