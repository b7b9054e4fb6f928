import { relative } from 'node:path'
import { beforeEach } from 'vitest'
import { exceptions } from './exceptions.ts'

const root = `${import.meta.dirname}/../..`

// a test of the list that passes fails: the list has no other test than those that Citus fails
beforeEach(({ task }) => {
  const file = relative(root, task.file.filepath)
  const name = task.fullTestName ?? task.name
  if (exceptions.some(one => one.file === file && one.tests !== 'all' && one.tests.includes(name)))
    Object.assign(task, { fails: true })
})
