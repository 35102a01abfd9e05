// The server of kivik with its database in memory, for the tests of the suite.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
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
	// Its databases in memory are not safe for requests at the same time, which can end the process.
	var turn sync.Mutex
	must(http.Serve(listener, http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		turn.Lock()
		defer turn.Unlock()
		handler.ServeHTTP(response, request)
	})))
}
