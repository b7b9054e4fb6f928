import type { TextRule } from './finding.rules.ts'

const terminalEscape = '\u001b'
const zeroWidth = '\\u180e\\u200b-\\u200d\\u2060-\\u2064\\ufeff'

/** Characters that readers do not see but models read. Written as escapes, so that this file hides nothing itself. */
export const hiddenRules: TextRule[] = [
  {
    code: 'BIDI_CONTROL',
    severity: 'block',
    needles: ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'],
    pattern: /[\u202a-\u202e\u2066-\u2069]+/g,
    message:
      'Characters that change the display order of text, so that readers see another text than models. Remove them.',
  },
  {
    code: 'HIDDEN_TEXT',
    severity: 'block',
    // the first half of each tag character
    needles: ['\udb40'],
    pattern: /[\u{e0000}-\u{e007f}]+/gu,
    message: 'Invisible characters that models read as text. Remove them.',
    judge: match => (isFlag(match) ? null : 'block'),
  },
  {
    code: 'HIDDEN_TEXT',
    severity: 'block',
    needles: ['\ufe00', '\ufe01', '\ufe0e', '\ufe0f', '\udb40', ...range(0xfe02, 0xfe0d)],
    pattern: /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}|[\u{e0100}-\u{e01ef}]{2}/gu,
    message: 'A sequence of invisible characters that can carry text. Remove them.',
  },
  {
    code: 'ZERO_WIDTH_RUN',
    severity: 'block',
    needles: zeroWidths(),
    pattern: new RegExp(`[${zeroWidth}]{3,}`, 'g'),
    message: 'A sequence of zero-width characters, which can carry hidden text. Remove them.',
  },
  {
    code: 'ZERO_WIDTH',
    severity: 'warn',
    needles: zeroWidths(),
    pattern: new RegExp(`(?<=[A-Za-z])[\\u180e\\u200b\\u2060\\ufeff](?=[A-Za-z])|[${zeroWidth}]{2}`, 'g'),
    message: 'Zero-width characters inside words, which hide words from searches. Remove them.',
  },
  {
    code: 'TERMINAL_ESCAPE',
    severity: 'warn',
    needles: [terminalEscape],
    pattern: new RegExp(`${terminalEscape}[[\\]P^_]`, 'g'),
    message: 'A terminal control sequence, which can hide the text around it. Remove it.',
  },
]

/** The flags of England, Scotland and Wales are written with tag characters behind a black flag. */
function isFlag({ 0: tags, index, input }: RegExpExecArray): boolean {
  return (
    input.slice(index - 2, index) === '\u{1f3f4}' &&
    /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}$/u.test(tags)
  )
}

function zeroWidths(): string[] {
  return ['\u180e', '\ufeff', ...range(0x200b, 0x200d), ...range(0x2060, 0x2064)]
}

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at))
}
