/**
 * The amount that a person typed, in the smallest unit of its currency, or undefined if the text is no amount. It reads
 * “1.536,70” and “1,536.70”: the last separator is the decimal one if no more digits follow than the currency has.
 */
export function parsedAmount(text: string, decimals: number): number | undefined {
  const typed = text.replace(/[\s\u00a0\p{Sc}]/gu, '')
  const [, sign = '', digits = ''] = /^([-−]?)([\d.,]+)$/.exec(typed) ?? []
  if (!/\d/.test(digits)) return undefined
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const after = digits.length - last - 1
  const hasDecimals = last >= 0 && after <= decimals
  const whole = (hasDecimals ? digits.slice(0, last) : digits).replaceAll(/[.,]/g, '')
  if (!isGrouped(hasDecimals ? digits.slice(0, last) : digits)) return undefined
  const fraction = (hasDecimals ? digits.slice(last + 1) : '').padEnd(decimals, '0')
  const amount = Number(`${whole || '0'}${fraction}`)
  if (!Number.isSafeInteger(amount)) return undefined
  return sign && amount > 0 ? -amount : amount
}

/** Whether all separators are the same and three digits follow each of them. */
function isGrouped(digits: string): boolean {
  return /^\d*$|^\d{1,3}(\.\d{3})+$|^\d{1,3}(,\d{3})+$/.test(digits)
}
