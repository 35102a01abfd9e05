// The server of kivik with its database in memory, for the tests of the suite.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/go-kivik/kivik/v4"
	_ "github.com/go-kivik/kivik/v4/x/memorydb"
	"github.com/go-kivik/kivik/v4/x/server"
	"github.com/go-kivik/kivik/v4/x/server/auth"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	client, err := kivik.New("memory", "")
	must(err)
	users := auth.NewMemoryUserStore()
	must(users.AddUser("admin", "secret", []string{"_admin"}))
	handler := server.New(client,
		server.WithUserStores(users),
		server.WithAuthHandlers(auth.BasicAuth()),
		server.WithAuthHandlers(auth.CookieAuth("docfeed", 10*time.Minute)))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	fmt.Printf("listening on http://%s\n", listener.Addr())
	must(http.Serve(listener, handler))
}
