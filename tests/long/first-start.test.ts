import { afterAll, test } from 'vitest'
import { endAll, removeFolders } from '#tests/processes.ts'
import { interruptFirstStart } from '../faults/interrupted.ts'

afterAll(() => {
  endAll()
  removeFolders()
})

test('Ctrl-C when the demo has just been made leaves no process, and the next start succeeds', () =>
  interruptFirstStart(/Demo organizations made/))
