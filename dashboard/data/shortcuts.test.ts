import { describe, expect, it } from 'vitest'
import { createSequence, isSingleKey, keyNameOf } from './shortcuts.rules.ts'

const plain = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, isAltGraph: false }

describe('the name of a key press', () => {
  it('is the character, on every layout', () => {
    expect(keyNameOf({ ...plain, key: 'c' }, false)).toBe('c')
    // Spanish: / is Shift and 7, ? is Shift and ', [ is AltGr, which browsers report as Ctrl and Alt
    expect(keyNameOf({ ...plain, key: '/', shiftKey: true }, false)).toBe('/')
    expect(keyNameOf({ ...plain, key: '?', shiftKey: true }, false)).toBe('?')
    expect(keyNameOf({ ...plain, key: '[', ctrlKey: true, altKey: true, isAltGraph: true }, false)).toBe('[')
  })

  it('has Shift with letters and named keys', () => {
    expect(keyNameOf({ ...plain, key: 'C', shiftKey: true }, false)).toBe('shift+c')
    expect(keyNameOf({ ...plain, key: 'ArrowLeft', shiftKey: true }, false)).toBe('shift+left')
    // Caps Lock types a capital without Shift
    expect(keyNameOf({ ...plain, key: 'C' }, false)).toBe('c')
  })

  it('has one word for Ctrl and ⌘, and none for the combinations of the system', () => {
    expect(keyNameOf({ ...plain, key: 'k', ctrlKey: true }, false)).toBe('mod+k')
    expect(keyNameOf({ ...plain, key: 'k', metaKey: true }, true)).toBe('mod+k')
    expect(keyNameOf({ ...plain, key: 'k', metaKey: true }, false)).toBeUndefined()
    expect(keyNameOf({ ...plain, key: 'c', altKey: true }, false)).toBeUndefined()
  })
})

describe('a sequence', () => {
  const shortcuts = new Set(['g h', 'g ,', 'c', 'mod+k'])

  it('is complete with its second key', () => {
    const sequence = createSequence()
    expect(sequence.next('g', 0, shortcuts)).toBe('pending')
    expect(sequence.next('h', 400, shortcuts)).toBe('g h')
    expect(sequence.next('h', 500, shortcuts)).toBeUndefined()
  })

  it('ends when the second key comes late or is another one', () => {
    const sequence = createSequence()
    sequence.next('g', 0, shortcuts)
    expect(sequence.next('h', 5_000, shortcuts)).toBeUndefined()
    sequence.next('g', 6_000, shortcuts)
    expect(sequence.next('c', 6_100, shortcuts)).toBe('c')
    sequence.next('g', 7_000, shortcuts)
    expect(sequence.next('g', 7_100, shortcuts)).toBe('pending')
    expect(sequence.next(',', 7_200, shortcuts)).toBe('g ,')
  })
})

it('people can switch off the shortcuts of characters, not those of Enter and Ctrl', () => {
  expect(['c', 'g h', '?', 'shift+c'].every(isSingleKey)).toBe(true)
  expect(['enter', 'escape', 'mod+k', 'shift+left'].some(isSingleKey)).toBe(false)
})
