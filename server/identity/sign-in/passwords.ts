import { fold, wordsOf } from '#platform/fold.ts'
import { commonPasswords, commonWords, openCommonList } from './common-passwords.ts'

export const passwordLength = { min: 10, max: 128 } as const

export type Weakness = {
  code: 'TOO_SHORT' | 'TOO_LONG' | 'CONTAINS_EMAIL' | 'CONTAINS_NAME' | 'TOO_COMMON'
  message: string
}

/** The owner of the password, because public facts about them are guessed first. */
export type Owner = {
  email: string
  /** Their own names, and those of their organizations. */
  names: readonly string[]
}

/**
 * Why a password is too weak, or undefined. Works offline: a list of common passwords with swaps and endings
 * undone, repetition, keyboard walks, and the person's own e-mail and names.
 */
export async function weaknessOf(password: string, { email, names }: Owner): Promise<Weakness | undefined> {
  const { min, max } = passwordLength
  if (password.length < min) return { code: 'TOO_SHORT', message: `Use at least ${min} characters.` }
  if (password.length > max) return { code: 'TOO_LONG', message: `Use at most ${max} characters.` }
  const plain = password.normalize('NFKC').toLowerCase()
  const localPart = email.toLowerCase().split('@', 1)[0] ?? ''
  // very short names occur in good passwords by chance
  if (localPart.length >= 4 && plain.includes(localPart)) {
    return { code: 'CONTAINS_EMAIL', message: 'Do not use your e-mail address in the password.' }
  }
  const isListed = await openCommonList()
  if (isMadeOfNames(plain, names, isListed)) {
    return {
      code: 'CONTAINS_NAME',
      message: 'Do not use your name or the name of your organization as the password.',
    }
  }
  if (isGuessedFirst(plain, isListed)) {
    return {
      code: 'TOO_COMMON',
      message: 'This password is too common. Choose another one.',
    }
  }
  return undefined
}

type IsListed = (password: string) => boolean

function isGuessedFirst(plain: string, isListed: IsListed): boolean {
  return (
    new Set(plain).size < 5 ||
    /^(.{1,6})\1+.{0,3}$/u.test(plain) ||
    isWalk(plain) ||
    commonPasswords.has(plain) ||
    isListed(plain) ||
    isDressedWord(plain, isListed)
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

// up to three characters may surround the walk
function isWalk(plain: string): boolean {
  for (let head = 0; head <= 3; head++) {
    for (let tail = 0; tail <= 3 - head; tail++) {
      const core = plain.slice(head, plain.length - tail)
      if (core.length >= 7 && walks.some(walk => walk.includes(core))) return true
    }
  }
  return false
}

// `P@ssw0rd2024!` is a variant of `password`
function isDressedWord(plain: string, isListed: IsListed): boolean {
  const core = innerOf(plain)
  return [core, plain].some(text =>
    spellingsOf(text).some(undressed =>
      [innerOf(undressed), undressed.replaceAll(/[^\p{L}]/gu, '')].some(
        word => plain.length - word.length <= longestDress && (commonWords.has(word) || isListed(word)),
      ),
    ),
  )
}

const shortestName = 3
// `K0walczyk1990` is a variant of a name. A name within a longer text is acceptable
function isMadeOfNames(plain: string, names: readonly string[], isListed: IsListed): boolean {
  const words = names.flatMap(name => wordsOf(name)).filter(word => word.length >= shortestName)
  words.sort((a, b) => b.length - a.length)
  return spellingsOf(fold(plain)).some(text => {
    const rest = words.reduce((left, word) => left.replaceAll(word, ''), text)
    return rest !== text && (rest.length <= longestDress || isGuessedFirst(rest, isListed))
  })
}

/** The longest rest of such a password besides the word. */
const longestDress = 6

/** The text, and the text with the usual swaps undone. */
function spellingsOf(text: string): string[] {
  return [text, ...swaps.map(swap => [...text].map(sign => swap[sign] ?? sign).join(''))]
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
