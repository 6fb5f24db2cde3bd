/** A thread that cannot start. */
throw new Error('not today');
