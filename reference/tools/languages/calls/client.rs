//! The client that progenitor makes.
progenitor::generate_api!(spec = "couchdb.json", interface = Builder);
