// The program. Plain JavaScript that every Node since 20 reads, so that one that is too old can start the pinned one.
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
  const bundled = inheritedBundle() ?? bundledCommands()
  if (bundled) process.env.PATIO_BUNDLE = bundled
  await (bundled ? import(bundled) : import('./commands.ts'))
}

/** The bundle of the process that started this one, so that it need not read all sources to find its own. */
function inheritedBundle() {
  const { PATIO_BUNDLE: url } = process.env
  return url !== undefined && existsSync(fileURLToPath(url)) ? url : undefined
}
