import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { reportError } from '#contract/error-reports/errors.ts'
import { captured } from '#tests/support/elements.ts'
import { curlLines, sdkLines } from './first-report.rules.ts'

test('the lines for the first report are those of the guide, with the address of this server', () => {
  expect(readFileSync('docs/guides/error-reporting.md', 'utf8')).toContain(sdkLines('https://patio.example'))
  const lines = curlLines('https://patio.example')
  expect(lines).toContain(`https://patio.example/api/external/v1${reportError.path}`)
  const body = JSON.parse(captured(/-d '(.+)'/, lines)) as object
  expect(Object.keys(body)).toEqual(['message', 'module', 'severity', 'file', 'line'])
})
