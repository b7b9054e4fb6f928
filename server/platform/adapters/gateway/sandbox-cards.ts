import { GatewayRefused } from './port.ts'

/** What the bank behind a card does. Left out: everything goes well, at once. */
export type Behaviour = {
  /** Collecting fails, with this decline code or, when the card itself is at fault, with this code. */
  declines?: { code: string; declineCode: string | null; message: string }
  /** It is not even taken when it is given for later. */
  refusesSetup?: true
  /** The bank asks its holder: once, when the card is given, or each time that money is collected. */
  asks?: 'once' | 'always'
  /** Collecting takes a while, and then this comes of it. */
  processes?: 'succeeded' | 'failed'
  /** Money is collected, and nobody is told: the answer is lost. */
  isSilent?: true
  /** Giving back takes a while and succeeds, or succeeds and fails later. */
  refunds?: 'pending' | 'failed'
  /** Its holder objects at once. */
  isDisputed?: true
}

const declined = (declineCode: string, message: string) => ({ code: 'card_declined', declineCode, message })
const faulty = (code: string, message: string) => ({ code, declineCode: null, message })

/** Numbers that behave in one way, those of the gateways' own test modes where they have one. */
const cards: Record<string, Behaviour> = {
  '4242424242424242': {},
  '5555555555554444': {},
  '378282246310005': {},
  '4000000000000002': {
    declines: declined('generic_decline', 'Your card was declined.'),
    refusesSetup: true,
  },
  '4000000000000341': { declines: declined('generic_decline', 'Your card was declined.') },
  '4000000000009995': { declines: declined('insufficient_funds', 'Your card has insufficient funds.') },
  '4000000000009987': { declines: declined('lost_card', 'Your card was declined.') },
  '4000000000000069': { declines: faulty('expired_card', 'Your card has expired.'), refusesSetup: true },
  '4000000000000127': {
    declines: faulty('incorrect_cvc', 'Your card’s security code is incorrect.'),
    refusesSetup: true,
  },
  '4000000000000119': {
    declines: faulty('processing_error', 'An error occurred while processing your card.'),
  },
  '4000002500003155': { asks: 'once' },
  '4000002760003184': { asks: 'always' },
  '4000000000001000': { processes: 'succeeded' },
  '4000000000001018': { processes: 'failed' },
  '4000000000001026': { isSilent: true },
  '4000000000007726': { refunds: 'pending' },
  '4000000000005126': { refunds: 'failed' },
  '4000000000000259': { isDisputed: true },
}

/** The card that is written so. Refuses one that nobody issued, and one that is not of the sandbox. */
export function cardOf(number: string): { number: string; brand: string; last4: string } {
  const digits = number.replaceAll(/[ -]/g, '')
  if (!/^\d{12,19}$/.test(digits) || !isSound(digits))
    throw new GatewayRefused(faulty('incorrect_number', 'Your card number is incorrect.'))
  if (!(digits in cards)) {
    throw new GatewayRefused(declined('test_mode_live_card', 'The sandbox takes its own test cards only.'))
  }
  return { number: digits, brand: brandOf(digits), last4: digits.slice(-4) }
}

export function behaviourOf(number: string): Behaviour {
  return cards[number]!
}

function brandOf(digits: string): string {
  return { '3': 'amex', '4': 'visa', '5': 'mastercard' }[digits[0]!]!
}

/** The check digit, by Luhn. */
function isSound(digits: string): boolean {
  const sum = [...digits].reverse().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
