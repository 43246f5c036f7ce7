// A subgraph that sends events, as the documentation of gqlgen shows one: a channel for each subscription.
package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os"
	"sync"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"switchyard.example/reviews/events/graph"
)

// Resolver tells all who have subscribed what to send: the key of a product, "end" or "throw".
type Resolver struct {
	mutex     sync.Mutex
	listeners map[chan string]bool
}

type (
	entityResolver       struct{ *Resolver }
	mutationResolver     struct{ *Resolver }
	productResolver      struct{ *Resolver }
	queryResolver        struct{ *Resolver }
	subscriptionResolver struct{ *Resolver }
)

func (r *Resolver) Entity() graph.EntityResolver             { return entityResolver{r} }
func (r *Resolver) Mutation() graph.MutationResolver         { return mutationResolver{r} }
func (r *Resolver) Product() graph.ProductResolver           { return productResolver{r} }
func (r *Resolver) Query() graph.QueryResolver               { return queryResolver{r} }
func (r *Resolver) Subscription() graph.SubscriptionResolver { return subscriptionResolver{r} }

func (r entityResolver) FindProductByUpc(_ context.Context, upc string) (*graph.Product, error) {
	return &graph.Product{Upc: upc}, nil
}

func (r queryResolver) GqlgenOpen(context.Context) (int, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return len(r.listeners), nil
}

func (r mutationResolver) GqlgenSend(_ context.Context, what string) (bool, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for listener := range r.listeners {
		listener <- what
	}
	return true, nil
}

func (r productResolver) GqlgenFragile(_ context.Context, product *graph.Product) (*string, error) {
	if product.Upc == "bad" {
		return nil, errors.New("It is broken.")
	}
	text := "fragile " + product.Upc
	return &text, nil
}

func (r subscriptionResolver) GqlgenChanged(ctx context.Context) (<-chan *graph.Product, error) {
	heard := make(chan string, 100)
	products := make(chan *graph.Product)
	r.mutex.Lock()
	r.listeners[heard] = true
	r.mutex.Unlock()
	go func() {
		defer close(products)
		defer func() {
			r.mutex.Lock()
			delete(r.listeners, heard)
			r.mutex.Unlock()
		}()
		for {
			select {
			case <-ctx.Done():
				return
			case what := <-heard:
				if what == "throw" {
					transport.AddSubscriptionError(ctx, gqlerror.Errorf("The source is broken."))
				}
				if what == "throw" || what == "end" {
					return
				}
				select {
				case products <- &graph.Product{Upc: what}:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return products, nil
}

func main() {
	resolver := &Resolver{listeners: map[chan string]bool{}}
	server := handler.New(graph.NewExecutableSchema(graph.Config{Resolvers: resolver}))
	server.AddTransport(transport.Websocket{})
	server.AddTransport(transport.POST{})
	server.Use(extension.Introspection{})
	http.Handle("/query", server)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
