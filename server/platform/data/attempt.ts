import type { PendingEffects } from './db.ts'

/**
 * One attempt of a transaction on a connection, or of a savepoint in it. After it has ended, no further
 * statement is sent and no event is written.
 */
export class Attempt {
  /** The number of enclosing savepoints. */
  readonly depth: number
  readonly pending: PendingEffects = { events: [], afterCommit: [] }
  /** The number of statements that were sent. */
  sent = 0
  openSavepoint: Attempt | undefined
  #hasEnded = false

  constructor(depth: number) {
    this.depth = depth
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Ends it, with the savepoints that are open in it. */
  end(): void {
    this.#hasEnded = true
    this.openSavepoint?.end()
  }

  /** @throws Error if it has ended, or a savepoint in it is open */
  assertOpen(): void {
    if (this.#hasEnded) throw new Error('The transaction, or its savepoint, has ended')
    if (this.openSavepoint) throw new Error('A savepoint is open: only its own handle may be used')
  }

  /** See `Tx.inOrder`. */
  async startInOrder(steps: readonly (() => unknown)[]): Promise<unknown[]> {
    const results: Promise<unknown>[] = []
    for (const step of steps) {
      const { sent } = this
      const result = Promise.resolve(step())
      // it is awaited below, or another step has failed
      result.catch(() => {})
      results.push(result)
      if (this.sent === sent) await result
    }
    return Promise.all(results)
  }
}
