import { expect, test } from 'vitest'
import { accentColors, contrast } from './accent-colors.ts'

test('black on white has the contrast 21, a colour on itself 1', () => {
  expect([contrast('#000000', '#ffffff'), contrast('#ffffff', '#000000')]).toEqual([21, 21])
  expect(contrast('#1f5f3a', '#1f5f3a')).toBe(1)
})

test.each([null, '#000000', '#0000ff', '#767676', '#ffff00', '#1f5f3a', '#b3005e', '#ffffff'])(
  '%s is readable in both themes, and so is text on it',
  accent => {
    const { light, dark } = accentColors(accent)
    for (const [color, ground] of [
      [light.accent, '#fbfaf8'],
      [light.accent, '#ffffff'],
      [dark.accent, '#1d1c18'],
      [dark.accent, '#131310'],
      [light.accent, light.onAccent],
      [dark.accent, dark.onAccent],
    ] as const)
      expect(contrast(color, ground)).toBeGreaterThanOrEqual(4.5)
  },
)

test('a colour that is readable stays as it is', () => {
  expect(accentColors('#1f5f3a').light.accent).toBe('#1f5f3a')
  expect(accentColors('#ffd000').dark.accent).toBe('#ffd000')
})
