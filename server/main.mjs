// Plain JavaScript, and before all else: what Node makes of our sources is kept beside the packages, so that a start
// needs neither the program that strips their types, which takes 17 MiB, nor the time of a compiler.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'))
await import('./commands.ts')
