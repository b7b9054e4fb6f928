import { type Language, locales } from '../../words/words.ts'

const durationUnits = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const

/** A duration in its largest unit: “3 secs”, “2 mins”, “4 hrs”. */
export function durationText(seconds: number, language: Language): string {
  // two of a larger unit say less than ninety of a smaller one, but are read faster
  const [unit, size] = durationUnits.findLast(([, one]) => seconds >= one) ?? durationUnits[0]
  return new Intl.NumberFormat(locales[language], {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: seconds < 10 ? 1 : 0,
  }).format(seconds / size)
}
