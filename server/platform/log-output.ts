import { write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** The length of the lines that wait while the output accepts none; further lines are lost. */
const waitingCharacters = 1024 * 1024
/** Time between two attempts while the output accepts nothing, as on a full disk. */
const retryMs = 100
/** The end of the process waits this many times for a reader that is slow. */
const flushPauses = 200
const flushPauseMs = 10

/**
 * Writes the lines of a log to a file descriptor without waiting for it. Lines wait in memory or are lost while it accepts none:
 * a full disk or a reader that is gone neither ends the process nor keeps it from ending.
 */
export class LogOutput implements DestinationStream {
  readonly #fd: number
  /** The bytes of the next attempt. */
  #chunk = Buffer.alloc(0)
  #waiting = ''
  #state: 'idle' | 'writing' | 'failing' = 'idle'

  constructor(fd: number) {
    this.#fd = fd
    process.on('exit', () => this.flushSync())
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > waitingCharacters) return
    this.#waiting += line
    if (this.#state === 'idle') this.#writeNext()
  }

  /** Writes what waits before it returns, or gives it up. pino calls it after the last line of a process that fails. */
  flushSync(): void {
    // an attempt in flight ends by itself; one that has failed is not repeated
    if (this.#state === 'failing') return
    let bytes = Buffer.from(this.#waiting)
    this.#waiting = ''
    for (let pauses = 0; bytes.length > 0; ) {
      try {
        bytes = bytes.subarray(writeSync(this.#fd, bytes))
      } catch (error) {
        const isSlow = (error as NodeJS.ErrnoException).code === 'EAGAIN'
        if (!isSlow || ++pauses > flushPauses) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, flushPauseMs)
      }
    }
  }

  #writeNext(): void {
    if (this.#chunk.length === 0) {
      this.#chunk = Buffer.from(this.#waiting)
      this.#waiting = ''
    }
    this.#state = this.#chunk.length === 0 ? 'idle' : 'writing'
    if (this.#state === 'idle') return
    write(this.#fd, this.#chunk, (error, count) => {
      if (error) {
        this.#state = 'failing'
        setTimeout(() => this.#writeNext(), retryMs).unref()
      } else {
        this.#chunk = this.#chunk.subarray(count)
        this.#writeNext()
      }
    })
  }
}
