import type { Language } from '../../words/words.ts'

/** Why a bank or the gateway did not collect, by the code of the gateway. */
const declines: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  es: {
    card_declined: 'El banco rechazó la tarjeta.',
    insufficient_funds: 'La tarjeta no tiene saldo suficiente.',
    expired_card: 'La tarjeta ha caducado.',
    lost_card: 'La tarjeta está dada de baja.',
    stolen_card: 'La tarjeta está dada de baja.',
    authentication_required: 'El banco pide que el titular confirme el pago.',
    processing_error: 'El banco no pudo procesar el cobro.',
    gateway_unavailable: 'La pasarela no respondió. No se ha cobrado nada.',
    canceled: 'El cobro se canceló: el pagador no lo confirmó a tiempo.',
  },
  en: {
    card_declined: 'The bank declined the card.',
    insufficient_funds: 'The card has insufficient funds.',
    expired_card: 'The card has expired.',
    lost_card: 'The card was cancelled.',
    stolen_card: 'The card was cancelled.',
    authentication_required: 'The bank asks the card holder to confirm the payment.',
    processing_error: 'The bank could not process the charge.',
    gateway_unavailable: 'The gateway did not answer. Nothing was collected.',
    canceled: 'The charge was cancelled: the payer did not confirm it in time.',
  },
}

type Failure = { failureCode: string | null; failureMessage: string | null; declineCode?: string | null }

/** The reason in words; the more exact code first, and the gateway's own text for a code that is not known. */
export function declineText(
  { declineCode, failureCode, failureMessage }: Failure,
  language: Language,
): string {
  const texts = declines[language]
  return texts[declineCode ?? ''] ?? texts[failureCode ?? ''] ?? failureMessage ?? failureCode ?? ''
}
