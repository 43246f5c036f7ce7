// The subgraph "reviews", as the documentation of gqlgen shows one: the schema first, the server generated from it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/transport"

	"switchyard.example/reviews/graph"
)

func main() {
	resolver := &Resolver{names: map[string]string{}}
	if err := resolver.read(os.Getenv("SHOP_DATA")); err != nil {
		log.Fatal(err)
	}
	server := handler.New(graph.NewExecutableSchema(graph.Config{Resolvers: resolver}))
	server.AddTransport(transport.Options{})
	server.AddTransport(transport.GET{})
	server.AddTransport(transport.POST{})
	// Without it, `_service { sdl }` is an error.
	server.Use(extension.Introspection{})
	http.Handle("/query", server)
	address := "127.0.0.1:" + os.Getenv("PORT")
	fmt.Printf("reviews is ready at http://%s/query\n", address)
	log.Fatal(http.ListenAndServe(address, nil))
}

func (r *Resolver) read(path string) error {
	bytes, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var data struct {
		Users   []struct{ ID, Name string }
		Reviews []struct {
			ID, Item, Author, Body, Posted string
			Stars                          int
			Mood                           *graph.Mood
		}
	}
	if err := json.Unmarshal(bytes, &data); err != nil {
		return err
	}
	for _, user := range data.Users {
		r.names[user.ID] = user.Name
	}
	for _, row := range data.Reviews {
		r.reviews = append(r.reviews, &graph.Review{
			ID: row.ID, Body: row.Body, Stars: row.Stars, Mood: row.Mood, Posted: row.Posted,
			Author: &graph.User{ID: row.Author}, Item: &graph.Item{ID: row.Item},
		})
	}
	return nil
}
