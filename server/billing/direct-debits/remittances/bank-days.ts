const dayMs = 86_400_000

/** Whether TARGET, the payment system of the euro, is open on a day `YYYY-MM-DD`. */
export function isBankDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00.000Z`)
  const weekday = date.getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  if (['01-01', '05-01', '12-25', '12-26'].includes(day.slice(5))) return false
  const easter = easterSunday(date.getUTCFullYear())
  return ![easter - 2 * dayMs, easter + dayMs].includes(date.getTime())
}

/** Easter Sunday of the Gregorian calendar in milliseconds since 1970 (the algorithm of Meeus, Jones and Butcher). */
function easterSunday(year: number): number {
  const [golden, century, ofCentury] = [year % 19, Math.floor(year / 100), year % 100]
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1)
}
