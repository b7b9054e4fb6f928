/**
 * `npm run docs`: generates docs/api and the configuration guide from the contract. `--check` compares the
 * committed documents. The OpenAPI document is large and is only written here, for tools that read it from a
 * file.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { generatedDocs, openApiFile } from './generated.ts'

const check = process.argv.includes('--check')
const stale: string[] = []
mkdirSync('docs/api', { recursive: true })
for (const [path, text] of Object.entries(generatedDocs())) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
  if (check) stale.push(path)
  else writeFileSync(path, text)
}
if (!check) writeFileSync('docs/api/openapi.json', openApiFile())
if (stale.length > 0) {
  process.stdout.write(`Out of date: ${stale.join(', ')}. Run: npm run docs\n`)
  process.exitCode = 1
}
