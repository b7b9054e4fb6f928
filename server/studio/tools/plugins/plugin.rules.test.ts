import { expect, test } from 'vitest'
import { marketplaceName } from './plugin.rules.ts'

test.each([
  ['Acme', 'patio-acme'],
  ["  Ada's Bakery & Söhne GmbH ", 'patio-adas-bakery-sohne-gmbh'],
  ['Claude Plugins Official', 'patio-12345678'],
  ['Anthropic (official)', 'patio-12345678'],
  ['Claude Bakery', 'patio-claude-bakery'],
  ['株式会社', 'patio-12345678'],
  ['', 'patio-12345678'],
  ['x'.repeat(80), `patio-${'x'.repeat(50)}`],
])('%s', (organization, name) => {
  expect(marketplaceName(organization, 'c000000000000000012345678')).toBe(name)
})
