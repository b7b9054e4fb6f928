const letters = 'TRWAGMYFPDXBNJZSQVHLCKE'
const controlLetters = 'JABCDEFGHI'

/**
 * A Spanish tax number of 9 characters without separators and country prefix, or undefined if its control
 * character is wrong.
 */
export function nifOf(taxId: string): string | undefined {
  const plain = taxId.toUpperCase().replace(/[\s.\-/]/g, '')
  const nif = plain.length === 11 && plain.startsWith('ES') ? plain.slice(2) : plain
  return isNif(nif) ? nif : undefined
}

function isNif(nif: string): boolean {
  // people: DNI, NIE (X, Y, Z), and the numbers that the tax office assigns (K, L, M)
  const person = /^([XYZKLM]|\d)(\d{7})([A-Z])$/.exec(nif)
  if (person) {
    const [, first, digits, letter] = person as unknown as [string, string, string, string]
    const lead = /\d/.test(first) ? first : String(Math.max(0, 'XYZ'.indexOf(first)))
    return letters[Number(lead + digits) % 23] === letter
  }
  const entity = /^([ABCDEFGHJNPQRSUVW])(\d{7})([\dA-J])$/.exec(nif)
  if (!entity) return false
  const [, kind, digits, control] = entity as unknown as [string, string, string, string]
  const sum = [...digits].reduce((total, digit, at) => {
    const doubled = Number(digit) * 2
    return total + (at % 2 === 0 ? Math.floor(doubled / 10) + (doubled % 10) : Number(digit))
  }, 0)
  const expected = (10 - (sum % 10)) % 10
  const mustBeLetter = 'NPQRSW'.includes(kind)
  const mustBeDigit = 'ABEH'.includes(kind)
  return (
    (!mustBeLetter && control === String(expected)) || (!mustBeDigit && control === controlLetters[expected])
  )
}
