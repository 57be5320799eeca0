"""The camera loop and what carries out commands where no loop runs.

looking     a watcher and what it remembers: frames in, notices out
keeping     a table's match kept in the store: happenings in, events stored
evidence    pictures of the last seconds, so that events can point at the one that shows them
loop        the camera loop of `arbitre watch`
worker      commands and photos of a table without a loop
replaying   the same over a recording, without a store
"""
