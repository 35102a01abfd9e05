/**
 * The tables of one database. Triggers keep the counts, so that no answer needs to count what it does not list:
 * `totals` for documents alive and deleted, `segments` for documents by the position of their latest change, 1024
 * positions a segment.
 */
export const schema = `
CREATE TABLE documents (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  position INTEGER NOT NULL UNIQUE,
  winner TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  conflicts TEXT,
  deleted_conflicts TEXT,
  tree TEXT NOT NULL
);
CREATE INDEX alive ON documents (id) WHERE deleted = 0;

CREATE TABLE revisions (
  document INTEGER NOT NULL,
  revision TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (document, revision)
) WITHOUT ROWID;

CREATE TABLE totals (deleted INTEGER PRIMARY KEY, documents INTEGER NOT NULL);
INSERT INTO totals VALUES (0, 0), (1, 0);

CREATE TABLE segments (segment INTEGER PRIMARY KEY, documents INTEGER NOT NULL);

CREATE TRIGGER created AFTER INSERT ON documents BEGIN
  UPDATE totals SET documents = documents + 1 WHERE deleted = new.deleted;
  INSERT INTO segments VALUES (new.position >> 10, 1) ON CONFLICT DO UPDATE SET documents = documents + 1;
END;

CREATE TRIGGER changed AFTER UPDATE ON documents BEGIN
  UPDATE totals SET documents = documents - 1 WHERE deleted = old.deleted;
  UPDATE totals SET documents = documents + 1 WHERE deleted = new.deleted;
  UPDATE segments SET documents = documents - 1 WHERE segment = old.position >> 10;
  INSERT INTO segments VALUES (new.position >> 10, 1) ON CONFLICT DO UPDATE SET documents = documents + 1;
END;
`;
