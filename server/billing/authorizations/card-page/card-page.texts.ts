import type { Language } from '#platform/language.ts'

const es = {
  title: 'Tu tarjeta',
  for: (name: string) => `Da la tarjeta con la que ${name} cobrará lo que has autorizado.`,
  agreed: 'Lo que has aceptado',
  number: 'Número de la tarjeta',
  expires: 'Caduca (MM/AA)',
  give: 'Guardar la tarjeta',
  elsewhere: 'La pide la pasarela de pago, en su propia página: los datos de la tarjeta no pasan por aquí.',
  leave: 'Seguir a la pasarela de pago',
  sandbox: 'Es una pasarela de pruebas: no se mueve dinero. Tarjeta que funciona:',
  bank: 'Tu banco',
  bankAsks: 'El banco de la tarjeta pregunta si eres tú quien la da.',
  yes: 'Sí, soy yo',
  no: 'No soy yo',
  done: 'La tarjeta está guardada',
  thanks: (name: string) => `${name} puede cobrar lo que has autorizado. Ya puedes cerrar esta página.`,
}
const en: typeof es = {
  title: 'Your card',
  for: name => `Give the card with which ${name} is to collect what you authorized.`,
  agreed: 'What you agreed to',
  number: 'Card number',
  expires: 'Expires (MM/YY)',
  give: 'Keep the card',
  elsewhere:
    'The payment gateway asks for it, on a page of its own: the details of the card never come here.',
  leave: 'Go on to the payment gateway',
  sandbox: 'This gateway is for trying: no money is moved. A card that works:',
  bank: 'Your bank',
  bankAsks: 'The bank of the card asks whether it is you who gives it.',
  yes: 'Yes, it is me',
  no: 'It is not me',
  done: 'The card is kept',
  thanks: name => `${name} can collect what you authorized. You can close this page now.`,
}
export const texts: Record<Language, typeof es> = { es, en }

type Complaints = Record<string, string> & { card_declined: string }
/** What a payer is told of a card that was refused, by the code of the gateway. */
export const complaints: Record<Language, Complaints> = {
  es: {
    card_declined: 'El banco ha rechazado la tarjeta. Prueba con otra.',
    expired_card: 'La tarjeta ha caducado.',
    incorrect_cvc: 'El código de seguridad no es correcto.',
    incorrect_number: 'El número de la tarjeta no es correcto.',
    setup_intent_authentication_failure:
      'El banco no ha podido confirmar que eres tú. Inténtalo otra vez, o con otra tarjeta.',
  },
  en: {
    card_declined: 'The bank declined the card. Try another one.',
    expired_card: 'The card has expired.',
    incorrect_cvc: 'The security code is not right.',
    incorrect_number: 'The card number is not right.',
    setup_intent_authentication_failure:
      'The bank could not make sure that it is you. Try again, or with another card.',
  },
}
