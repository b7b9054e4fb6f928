import { expect, test } from 'vitest'
import { html } from './html-page.ts'

test('text direction marks are removed from pages', () => {
  expect(html`<p>${'1\u202e02 \u2066<b>\u2069'}</p>`.text).toBe('<p>102 &#60;b&#62;</p>')
})
