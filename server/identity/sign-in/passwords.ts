import { commonPasswords, commonWords } from './common-passwords.ts'

export const passwordLength = { min: 10, max: 128 } as const

export type Weakness = { code: 'TOO_SHORT' | 'TOO_LONG' | 'CONTAINS_EMAIL' | 'TOO_COMMON'; message: string }

/**
 * Why a password must not be used, or undefined. Works offline: a short list of what people really choose, with
 * swaps and endings undone, plus repetition, keyboard walks and the person's own e-mail.
 */
export function weaknessOf(password: string, email: string): Weakness | undefined {
  const { min, max } = passwordLength
  if (password.length < min) return { code: 'TOO_SHORT', message: `Use at least ${min} characters.` }
  if (password.length > max) return { code: 'TOO_LONG', message: `Use at most ${max} characters.` }
  const plain = password.normalize('NFKC').toLowerCase()
  const localPart = email.toLowerCase().split('@', 1)[0] ?? ''
  // very short names occur in good passwords by chance
  if (localPart.length >= 4 && plain.includes(localPart)) {
    return { code: 'CONTAINS_EMAIL', message: 'Leave your e-mail address out of the password.' }
  }
  if (isGuessedFirst(plain)) {
    return {
      code: 'TOO_COMMON',
      message: 'This is among the first passwords that are tried. Choose another.',
    }
  }
  return undefined
}

function isGuessedFirst(plain: string): boolean {
  return (
    new Set(plain).size < 5 ||
    /^(.{1,6})\1+.{0,3}$/u.test(plain) ||
    isWalk(plain) ||
    commonPasswords.has(plain) ||
    isDressedWord(plain)
  )
}

const rows = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1234567890qwertyuiopasdfghjklzxcvbnm',
]
const walks = rows.flatMap(row => [row, [...row].reverse().join('')])

// up to three characters may stand before or behind the walk
function isWalk(plain: string): boolean {
  for (let head = 0; head <= 3; head++) {
    for (let tail = 0; tail <= 3 - head; tail++) {
      const core = plain.slice(head, plain.length - tail)
      if (core.length >= 7 && walks.some(walk => walk.includes(core))) return true
    }
  }
  return false
}

// `P@ssw0rd2024!` is `password` in a costume
function isDressedWord(plain: string): boolean {
  const core = innerOf(plain)
  return [core, plain].some(text =>
    [text, ...swaps.map(swap => [...text].map(sign => swap[sign] ?? sign).join(''))].some(undressed =>
      [innerOf(undressed), undressed.replaceAll(/[^\p{L}]/gu, '')].some(
        word => commonWords.has(word) && plain.length - word.length <= 6,
      ),
    ),
  )
}

// from the first letter to the last
function innerOf(text: string): string {
  return /\p{L}.*\p{L}/u.exec(text)?.[0] ?? ''
}

const swaps: Record<string, string>[] = [
  { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's', '7': 't' },
  { '@': 'a', '3': 'e', '1': 'l', '0': 'o', $: 's' },
  { '@': 'a', '0': 'o', $: 's' },
]
