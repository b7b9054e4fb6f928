import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { allCaptured, itemAt } from '#tests/support/elements.ts'

const folder = 'server/integrations/webhooks'
const page = readFileSync('docs/architecture/webhook-deliveries.md', 'utf8')
const listed = allCaptured(/`([\w/.-]+\.ts)`/g, itemAt(page.split('## The code in this order'), 1))

it('the page about deliveries lists each file of the dispatcher once, and only files that exist', () => {
  const files = readdirSync(`${folder}/dispatcher`, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => `dispatcher/${file}`)
  expect(listed.filter(file => file.startsWith('dispatcher/')).sort()).toEqual(files.sort())
  expect(listed.filter(file => !existsSync(`${folder}/${file}`))).toEqual([])
})
