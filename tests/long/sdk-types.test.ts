import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'

const root = join(import.meta.dirname, '../..')
// below the root, so that #contract is known
const folder = join(root, 'dist/sdk-types')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// its id may be anything for the schema, so that JSON-RPC reports the error
const looser = ['callMcp']

test('the types of the package are those of the contract, for every operation', async () => {
  execFileSync(process.execPath, [join(root, 'tools/sdk.ts'), join(folder, 'sdk')])
  const modules = globSync('contract/*/*.js', { cwd: join(folder, 'sdk') }).sort()
  const texts = await Promise.all(
    modules.map(async (module, n) => {
      const operations: Record<string, { status?: number }> = await import(join(folder, 'sdk', module))
      // a stream has no status: `openStream` takes it instead of `call`, and its declaration has other fields
      const names = Object.keys(operations).filter(
        name => !looser.includes(name) && defined(operations[name]).status !== undefined,
      )
      if (names.length === 0) return []
      return [
        `import type * as ours${n} from '#${module.replace('.js', '.ts')}'`,
        `import type * as theirs${n} from './sdk/${module}'`,
        ...names.map(name => `same<typeof ours${n}.${name}, typeof theirs${n}.${name}>(true)`),
      ]
    }),
  )
  const checks = texts.flat()
  expect(checks.filter(line => line.startsWith('same')).length).toBeGreaterThan(150)
  writeFileSync(
    join(folder, 'same.ts'),
    `import type { Input, Reply } from '#contract/route.ts'
     type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false
     declare function same<One, Other>(
       is: Same<[Input<One>, Reply<One>], [Input<Other>, Reply<Other>]>,
     ): void
     ${checks.join('\n')}`,
  )
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { incremental: false },
    include: ['same.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], {
    encoding: 'utf8',
  })
  expect([stdout, status]).toEqual(['', 0])
})
