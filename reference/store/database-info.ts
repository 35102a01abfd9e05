import type { Database } from './database.js';

/** The response of `GET /{db}`. */
export function databaseInfo(database: Database) {
  const { file, active } = database.sizes;
  return {
    db_name: database.name,
    doc_count: database.documentCount,
    doc_del_count: database.deletedCount,
    update_seq: database.sequenceOf(database.position),
    purge_seq: database.sequenceOf(0),
    instance_start_time: database.startTime,
    compact_running: false,
    disk_format_version: 8,
    sizes: { file, active, external: active },
    props: {},
    cluster: { q: 1, n: 1, w: 1, r: 1 },
  };
}
