//! What the consumers of Rust in this folder share: the checkpoint, and how they say what they know.
use serde_json::{json, Value};
use std::io::{self, Write};
use std::{env, fs, path::PathBuf, time::Duration};

pub fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub struct State {
    file: PathBuf,
    attempts: u32,
}

impl State {
    pub fn new() -> Self {
        Self {
            file: PathBuf::from(variable("DOCFEED_STATE")).join("since"),
            attempts: 0,
        }
    }

    pub fn since(&self) -> Option<Value> {
        let text = fs::read_to_string(&self.file).ok()?;
        Some(serde_json::from_str(&text).expect("the checkpoint is JSON"))
    }

    /// Says what a row means, and moves the checkpoint.
    pub fn take(&mut self, id: &str, rev: &str, deleted: bool, seq: &Value) {
        self.attempts = 0;
        let mut output = io::stdout().lock();
        let known = json!({ "id": id, "rev": rev, "deleted": deleted });
        writeln!(output, "{known}").unwrap();
        output.flush().unwrap();
        let new_file = self.file.with_extension("new");
        fs::write(&new_file, seq.to_string()).unwrap();
        fs::rename(&new_file, &self.file).unwrap();
    }

    /// Pauses grow until there is a row, as these libraries leave it to the application to try again.
    pub async fn pause(&mut self) {
        self.attempts += 1;
        let pause = Duration::from_millis(20 << self.attempts.min(10));
        tokio::time::sleep(pause.min(Duration::from_secs(5))).await;
    }
}
