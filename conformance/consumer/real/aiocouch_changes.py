"""Follows the database with Database.changes() of aiocouch, in a loop, as that ends with its connection."""
import asyncio

from aiocouch import CouchDB
from state import Pauses, complain, database, origin, password, read_since, say, username, write_since


async def follow(pauses):
    async with CouchDB(origin, user=username, password=password) as server:
        events = (await server[database]).changes(
            feed='continuous', since=read_since('0'), heartbeat=1000, style='all_docs', include_docs=True
        )
        async for event in events:
            pauses.reset()
            row = event.json
            say(event.id, row['doc']['_rev'], row.get('deleted'), [change['rev'] for change in row['changes']])
            write_since(event.sequence)


async def main():
    pauses = Pauses()
    while True:
        try:
            await follow(pauses)
        except Exception as error:
            complain(error)
        await asyncio.sleep(pauses.next_s())


asyncio.run(main())
