import { words } from '../words/words.ts'

/** The rules that a browser checks by itself, in the order in which they are named. */
export const rulesOfBrowser = [
  'valueMissing',
  'badInput',
  'typeMismatch',
  'tooShort',
  'tooLong',
  'rangeUnderflow',
  'rangeOverflow',
  'stepMismatch',
  'patternMismatch',
] as const

/** Replaces the messages of the browser, whose language need not be that of the person. */
export const fieldTexts = words({
  es: {
    valueMissing: 'Rellena este campo.',
    badInput: 'Este valor no se entiende.',
    typeMismatch: 'No es una dirección válida.',
    tooShort: 'Es demasiado corto.',
    tooLong: 'Es demasiado largo.',
    rangeUnderflow: 'Es demasiado pequeño.',
    rangeOverflow: 'Es demasiado grande.',
    stepMismatch: 'Este valor no se admite.',
    patternMismatch: 'Tiene un formato que no se admite.',
  },
  en: {
    valueMissing: 'Fill in this field.',
    badInput: 'This value cannot be read.',
    typeMismatch: 'This is not a valid address.',
    tooShort: 'It is too short.',
    tooLong: 'It is too long.',
    rangeUnderflow: 'It is too small.',
    rangeOverflow: 'It is too large.',
    stepMismatch: 'This value is not accepted.',
    patternMismatch: 'Its format is not accepted.',
  },
})
