package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"switchyard.example/reviews/graph"
)

type Resolver struct {
	mutex   sync.RWMutex
	reviews []*graph.Review
	names   map[string]string
}

type (
	entityResolver   struct{ *Resolver }
	itemResolver     struct{ *Resolver }
	mutationResolver struct{ *Resolver }
	queryResolver    struct{ *Resolver }
	reviewResolver   struct{ *Resolver }
	userResolver     struct{ *Resolver }
)

func (r *Resolver) Entity() graph.EntityResolver     { return entityResolver{r} }
func (r *Resolver) Item() graph.ItemResolver         { return itemResolver{r} }
func (r *Resolver) Mutation() graph.MutationResolver { return mutationResolver{r} }
func (r *Resolver) Query() graph.QueryResolver       { return queryResolver{r} }
func (r *Resolver) Review() graph.ReviewResolver     { return reviewResolver{r} }
func (r *Resolver) User() graph.UserResolver         { return userResolver{r} }

func (r *Resolver) where(matches func(*graph.Review) bool) []*graph.Review {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	found := []*graph.Review{}
	for _, review := range r.reviews {
		if matches(review) {
			found = append(found, review)
		}
	}
	return found
}

func (r *Resolver) find(id string) *graph.Review {
	for _, review := range r.where(func(review *graph.Review) bool { return review.ID == id }) {
		return review
	}
	return nil
}

func (r entityResolver) FindItemByID(_ context.Context, id string) (*graph.Item, error) {
	return &graph.Item{ID: id}, nil
}

func (r entityResolver) FindReviewByID(_ context.Context, id string) (*graph.Review, error) {
	return r.find(id), nil
}

func (r entityResolver) FindUserByID(_ context.Context, id string) (*graph.User, error) {
	return &graph.User{ID: id}, nil
}

func (r itemResolver) Reviews(_ context.Context, item *graph.Item) ([]*graph.Review, error) {
	return r.where(func(review *graph.Review) bool { return review.Item.ID == item.ID }), nil
}

func (r itemResolver) AverageStars(ctx context.Context, item *graph.Item) (*float64, error) {
	reviews, err := r.Reviews(ctx, item)
	if err != nil || len(reviews) == 0 {
		return nil, err
	}
	sum := 0
	for _, review := range reviews {
		sum += review.Stars
	}
	average := float64(sum) / float64(len(reviews))
	return &average, nil
}

func (r mutationResolver) AddReview(_ context.Context, input graph.ReviewInput) (*graph.Review, error) {
	if input.Stars < 1 || input.Stars > 5 {
		return nil, &gqlerror.Error{
			Message:    fmt.Sprintf("%d is not between 1 and 5 stars.", input.Stars),
			Extensions: map[string]any{"code": "BAD_STARS", "stars": input.Stars},
		}
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	review := &graph.Review{
		ID: fmt.Sprintf("r%d", len(r.reviews)+1), Body: *input.Body, Stars: input.Stars, Mood: input.Mood,
		Posted: "2026-05-01", Author: &graph.User{ID: input.Author}, Item: &graph.Item{ID: input.Item},
	}
	r.reviews = append(r.reviews, review)
	return review, nil
}

func (r queryResolver) Review(_ context.Context, id string) (*graph.Review, error) {
	return r.find(id), nil
}

func (r queryResolver) LatestReviews(_ context.Context, first int) ([]*graph.Review, error) {
	all := r.where(func(*graph.Review) bool { return true })
	latest := []*graph.Review{}
	for index := len(all) - 1; index >= 0 && len(latest) < first; index-- {
		latest = append(latest, all[index])
	}
	return latest, nil
}

func (r queryResolver) Activity(context.Context) ([]graph.Activity, error) {
	return []graph.Activity{r.find("r1"), graph.User{ID: "u2"}}, nil
}

func (r reviewResolver) Author(_ context.Context, review *graph.Review) (*graph.User, error) {
	id := review.Author.ID
	name, known := r.names[id]
	if !known {
		return nil, nil
	}
	return &graph.User{ID: id, Name: name}, nil
}

func (r reviewResolver) Item(_ context.Context, review *graph.Review) (*graph.Item, error) {
	return review.Item, nil
}

func (r userResolver) Reviews(_ context.Context, user *graph.User) ([]*graph.Review, error) {
	return r.where(func(review *graph.Review) bool { return review.Author.ID == user.ID }), nil
}

func (r userResolver) ReviewCount(ctx context.Context, user *graph.User) (int, error) {
	reviews, err := r.Reviews(ctx, user)
	return len(reviews), err
}

func (r userResolver) Signature(_ context.Context, _ *graph.User, required map[string]any) (string, error) {
	signature := fmt.Sprintf("<%v>", required["email"])
	if address, ok := required["address"].(map[string]any); ok {
		signature += fmt.Sprintf(" from %v", address["city"])
	}
	return signature, nil
}
