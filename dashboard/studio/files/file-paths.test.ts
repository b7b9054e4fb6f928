import { expect, test } from 'vitest'
import {
  inOrderOf,
  isJunk,
  mostTextBytes,
  pathBelow,
  previewOf,
  problemOfPath,
  treeOfFiles,
} from './file-paths.rules.ts'

test('files are a tree of their folders, which come first', () => {
  const files = ['b.md', 'scripts/run.py', 'a.md', 'scripts/lib/x.py'].map(path => ({
    id: path,
    path,
    size: 5,
  }))
  const tree = treeOfFiles(files, size => `${size} B`)
  expect(inOrderOf(tree, files).map(({ path }) => path)).toEqual([
    'scripts/lib/x.py',
    'scripts/run.py',
    'a.md',
    'b.md',
  ])
  expect(tree).toMatchObject([
    {
      id: 'folder:scripts/',
      label: 'scripts',
      children: [
        { id: 'folder:scripts/lib/', children: [{ id: 'scripts/lib/x.py', label: 'x.py' }] },
        { id: 'scripts/run.py', label: 'run.py', count: '5 B' },
      ],
    },
    { id: 'a.md' },
    { id: 'b.md' },
  ])
})

test('the path of a new file is below the folder that a person typed', () => {
  expect(pathBelow('', 'a.md')).toBe('a.md')
  expect(pathBelow(' /scripts/ lib/', 'run.py')).toBe('scripts/lib/run.py')
})

test('a path that the server would refuse is known before it is sent', () => {
  expect(problemOfPath('scripts/run.py')).toBeUndefined()
  expect(problemOfPath('a/../b')).toBe('characters')
  expect(problemOfPath('a\\b')).toBe('characters')
  expect(problemOfPath('C:/x')).toBe('characters')
  expect(problemOfPath('1/2/3/4/5/6/7/8/9')).toBe('deep')
  expect(problemOfPath('ñ'.repeat(130))).toBe('long')
  expect(['.DS_Store', 'a/node_modules/b', 'a/.gitignore'].map(isJunk)).toEqual([true, true, false])
})

test('texts up to a megabyte and common images are shown, and nothing else', () => {
  expect(previewOf({ contentType: 'text/markdown; charset=utf-8', size: mostTextBytes })).toBe('text')
  expect(previewOf({ contentType: 'application/json', size: mostTextBytes + 1 })).toBe('large')
  expect(previewOf({ contentType: 'image/svg+xml', size: 10 })).toBe('image')
  expect(previewOf({ contentType: 'application/pdf', size: 10 })).toBe('none')
  expect(previewOf({ contentType: 'application/octet-stream', size: 10 })).toBe('none')
})
