import { relative } from 'node:path'
import { beforeEach } from 'vitest'
import { exceptions } from './exceptions.ts'

const root = `${import.meta.dirname}/../..`

// a test of the list that passes fails: the list has no other test than those that Citus fails
beforeEach(({ task, skip }) => {
  const file = relative(root, task.file.filepath)
  const name = task.fullTestName ?? task.name
  const exception = exceptions.find(
    one => one.file === file && one.tests !== 'all' && one.tests.includes(name),
  )
  if (exception?.isUncertain) skip(exception.reason)
  else if (exception) Object.assign(task, { fails: true })
})
