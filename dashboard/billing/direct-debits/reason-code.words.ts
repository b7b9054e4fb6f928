import type { Language } from '../../words/words.ts'

/** Why a bank rejected or returned a direct debit, by the reason code of ISO 20022. */
const texts: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  AC01: { es: 'El número de cuenta no es correcto.', en: 'The account number is wrong.' },
  AC04: { es: 'La cuenta está cerrada.', en: 'The account is closed.' },
  AC06: { es: 'La cuenta está bloqueada.', en: 'The account is blocked.' },
  AC13: { es: 'La cuenta es de un consumidor.', en: 'The account belongs to a consumer.' },
  AG01: { es: 'La cuenta no admite adeudos.', en: 'The account does not allow direct debits.' },
  AG02: { es: 'El banco no admite esta operación.', en: 'The bank does not accept this operation.' },
  AM04: { es: 'La cuenta no tiene saldo suficiente.', en: 'The account has not enough funds.' },
  AM05: { es: 'El adeudo está duplicado.', en: 'The direct debit is a duplicate.' },
  BE05: { es: 'El identificador del acreedor no es correcto.', en: 'The creditor identifier is wrong.' },
  FF01: { es: 'El banco no pudo leer el fichero.', en: 'The bank could not read the file.' },
  FF05: { es: 'El tipo de adeudo no es correcto.', en: 'The kind of direct debit is wrong.' },
  MD01: { es: 'El cliente no tiene un mandato válido.', en: 'The client has no valid mandate.' },
  MD02: { es: 'Los datos del mandato no son correctos.', en: 'The data of the mandate are wrong.' },
  MD06: { es: 'El cliente pidió que se devolviera.', en: 'The client asked for it back.' },
  MD07: { es: 'El titular de la cuenta ha fallecido.', en: 'The holder of the account has died.' },
  MS02: { es: 'El cliente lo rechazó sin decir por qué.', en: 'The client refused it without a reason.' },
  MS03: { es: 'El banco no dice por qué.', en: 'The bank gives no reason.' },
  RC01: { es: 'El BIC no es correcto.', en: 'The BIC is wrong.' },
  RR01: {
    es: 'Falta la cuenta o la identificación del cliente.',
    en: 'The account or id of the client is missing.',
  },
  RR04: { es: 'Motivo regulatorio.', en: 'A regulatory reason.' },
  SL01: {
    es: 'El cliente limita los adeudos en su banco.',
    en: 'The client limits direct debits at their bank.',
  },
}

/** The codes with a text, in alphabetical order. */
export const reasonCodes = Object.keys(texts)

/** The reason in words; undefined for a code without a text. */
export function reasonText(code: string, language: Language): string | undefined {
  return texts[code]?.[language]
}
