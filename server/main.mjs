// The program. Plain JavaScript that every Node since 20 reads, so that one that is too old can start the pinned one.
import * as nodeModule from 'node:module'
import { join } from 'node:path'

const oldestMajor = 24
const packages = join(import.meta.dirname, '../node_modules')

if (Number(process.versions.node.split('.')[0]) < oldestMajor) {
  const { pinnedNode, runWithPinnedNode } = await import('./pinned-node.mjs')
  runWithPinnedNode(pinnedNode(), oldestMajor)
} else {
  // what Node makes of the sources is kept beside the packages, so that a start needs neither the program that strips
  // their types, which takes 17 MiB, nor the time of a compiler
  nodeModule.enableCompileCache(join(packages, '.cache/node'))
  const { bundledCommands } = await import('./bundle.mjs')
  const bundled = bundledCommands()
  await (bundled ? import(bundled) : import('./commands.ts'))
}
