import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { expiryOf, toolLinesOf } from './tool-lines.ts'

const guide = readFileSync('docs/guides/tools.md', 'utf8')
const lines = toolLinesOf('https://patio.example.com', '$PATIO_TOKEN')

it('has the lines of the guide', () => {
  expect(guide).toContain(lines.marketplace)
  expect(guide).toContain(lines.mcp.replace('https://patio.example.com', '$PATIO'))
  expect(guide).toContain('DISABLE_TELEMETRY=1 npx skills add "$(curl -fsS $PATIO/install-address')
  expect(lines.skills).toContain(
    'DISABLE_TELEMETRY=1 npx skills add "$(curl -fsS https://patio.example.com/install-address',
  )
})

it('writes a configuration that is JSON', () => {
  expect(JSON.parse(lines.mcpJson)).toEqual({
    mcpServers: {
      patio: {
        type: 'http',
        url: 'https://patio.example.com/mcp',
        headers: { Authorization: 'Bearer $PATIO_TOKEN' },
      },
    },
  })
})

it('keeps the port of the server', () => {
  expect(toolLinesOf('http://localhost:4330', 'T').marketplace).toContain('http://patio:T@localhost:4330/')
})

it('warns in the last week', () => {
  const now = Date.parse('2026-11-23T00:00:00Z')
  expect(expiryOf('2026-11-22T23:59:59Z', now)).toBe('expired')
  expect(expiryOf('2026-11-29T00:00:00Z', now)).toBe('soon')
  expect(expiryOf('2027-01-01T00:00:00Z', now)).toBe('later')
})
