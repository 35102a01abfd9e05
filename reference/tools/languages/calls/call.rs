//! The call with the client that progenitor makes.
use couch::types::{BulkDocsRequest, Credentials, DocumentInput};
use serde_json::{from_value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let password = &arguments[2];
    let client = couch::Client::new(&arguments[1].replace("//", &format!("//admin:{password}@")));
    assert!(client.put_database().db("inventory").send().await?.ok);

    let chair: DocumentInput = from_value(json!({ "legs": 4 }))?;
    let written = client.put_document().db("inventory").docid("chair").body(chair).send().await?;
    assert!(written.ok && written.rev.starts_with("1-"));
    let docs: BulkDocsRequest = from_value(json!({ "docs": [{ "_id": "desk" }, { "_id": "chair" }] }))?;
    let results = client.bulk_docs().db("inventory").body(docs).send().await?;
    assert_eq!(results[1].error.as_deref(), Some("conflict"));
    let read = client.get_document().db("inventory").docid("chair").send().await?;
    assert_eq!(read.extra["legs"], 4);

    let changes = client.get_changes().db("inventory").send().await?;
    assert_eq!(changes.results.len(), 2);

    let credentials: Credentials = from_value(json!({ "name": "admin", "password": password }))?;
    assert!(client.post_session().body(credentials).send().await?.ok);
    Ok(())
}
