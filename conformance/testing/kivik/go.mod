module docfeed-kivik

go 1.20

require github.com/go-kivik/kivik/v4 v4.5.2

require (
	github.com/go-chi/chi/v5 v5.2.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/monoculum/formam/v3 v3.6.0 // indirect
	gitlab.com/flimzy/httpe v0.0.0-20231112220855-6303bcec02b6 // indirect
	golang.org/x/sync v0.11.0 // indirect
	golang.org/x/text v0.22.0 // indirect
)
