import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'

// runs before each test file and subscribes once per process: records which error codes were returned, by
// which operations, and which events were emitted
const here = globalThis as { isSeenByTests?: boolean }
if (!here.isSeenByTests) {
  here.isSeenByTests = true
  const seen = new Set<unknown>()
  for (const name of ['patio:refusal', 'patio:declared-refusal', 'patio:emitted']) {
    subscribe(name, word => {
      if (seen.has(word)) return
      seen.add(word)
      appendFileSync(inject('seenFile'), `${word}\n`)
    })
  }
}
