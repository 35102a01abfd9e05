//! Follows the database with Database::changes() of couch_rs, in a loop, as that ends at an error.
mod state;
use couch_rs::{error::CouchError, Client};
use futures_util::StreamExt;
use state::{variable, State};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut state = State::new();
    loop {
        if let Err(error) = follow(&mut state).await {
            eprintln!("{error}");
        }
        state.pause().await;
    }
}

async fn follow(state: &mut State) -> Result<(), CouchError> {
    let (origin, username, password) = (
        variable("DOCFEED_ORIGIN"),
        variable("DOCFEED_USERNAME"),
        variable("DOCFEED_PASSWORD"),
    );
    let client = Client::new(&origin, &username, &password)?;
    let database = client.db(&variable("DOCFEED_DATABASE")).await?;
    let mut rows = database.changes(state.since());
    // It opens another response after the end of one.
    rows.set_infinite(true);
    while let Some(row) = rows.next().await {
        let row = row?;
        state.take(&row.id, &row.changes[0].rev, row.deleted, &row.seq);
    }
    Ok(())
}
