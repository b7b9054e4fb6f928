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
  for: name => `Enter the card that ${name} may charge as you authorized.`,
  agreed: 'What you agreed to',
  number: 'Card number',
  expires: 'Expires (MM/YY)',
  give: 'Save the card',
  elsewhere: 'The payment gateway asks for it on its own page: the card details never reach us.',
  leave: 'Continue to the payment gateway',
  sandbox: 'This is a test gateway: no money is moved. A card that works:',
  bank: 'Your bank',
  bankAsks: 'Your bank asks you to confirm that it is you.',
  yes: 'Yes, it is me',
  no: 'It is not me',
  done: 'The card is saved',
  thanks: name => `${name} can charge it as you authorized. You can close this page now.`,
}
export const texts: Record<Language, typeof es> = { es, en }

type Complaints = Record<string, string> & { card_declined: string }
/** Messages for refused cards, by the code of the gateway. */
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
    incorrect_cvc: 'The security code is incorrect.',
    incorrect_number: 'The card number is incorrect.',
    setup_intent_authentication_failure:
      'Your bank could not confirm that it is you. Try again, or use another card.',
  },
}
