import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type TestWorld } from '#tests/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('the address of the server shows a person what they can open, and all of it is there', async () => {
  const answer = await fetch(world.url)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const links = [...(await answer.text()).matchAll(/href="([^"]+)"/g)].map(([, link]) => link!)
  expect(links).toEqual(expect.arrayContaining(['/docs', '/api/openapi.json', '/verify']))
  const answers = await Promise.all(links.map(link => fetch(world.url + link)))
  expect(answers.map(({ status }) => status)).toEqual(links.map(() => 200))
})

test('the OpenAPI document is sent without blanks, and in a quarter of its bytes to those who can unpack it', async () => {
  const answer = await fetch(`${world.url}/api/openapi.json`, { headers: { 'accept-encoding': 'gzip' } })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(answer.headers.get('etag')).toMatch(/^W\/"/)
  const text = await answer.text()
  expect(text).toBe(JSON.stringify(JSON.parse(text)))
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(text.length / 4)
})
