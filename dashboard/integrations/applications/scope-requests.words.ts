import { plural, words } from '../../words/words.ts'

/** The texts about requests for critical scopes. */
export const scopeRequestTexts = words({
  es: {
    title: 'Permisos críticos',
    about: 'Los concede quien opera el servidor, de uno en uno y con un motivo.',
    ask: 'Pedir al operador…',
    none: 'No se ha pedido ninguno.',
    reading: 'Leyendo las peticiones',
    OPEN: 'Espera respuesta',
    GRANTED: 'Concedido',
    REFUSED: 'Rechazado',
    WITHDRAWN: 'Retirado',
    requestedBy: (name: string) => `Lo pidió ${name}`,
    answer: (reason: string) => `Respuesta: ${reason}`,
    withdraw: 'Retirar',
    withdrawIt: (scope: string) => `Retirar la petición de ${scope}`,
    withdrawn: 'La petición se ha retirado',
    askTitle: (name: string) => `Pedir permisos críticos para ${name}`,
    which: '¿Cuáles?',
    whichMissing: 'Elige al menos uno.',
    purpose: 'Para qué los usará',
    purposeHint: (least: number) =>
      `Quien opera el servidor lo lee antes de decidir. Al menos ${least} caracteres.`,
    send: 'Enviar la petición',
    sent: (count: number) =>
      `${count} ${plural('es', count, 'petición enviada', 'peticiones enviadas')}. Recibirás la respuesta por correo.`,
  },
  en: {
    title: 'Critical scopes',
    about: 'The operator of the server grants them, one at a time and with a reason.',
    ask: 'Ask the operator…',
    none: 'None has been requested.',
    reading: 'Reading the requests',
    OPEN: 'Awaits an answer',
    GRANTED: 'Granted',
    REFUSED: 'Refused',
    WITHDRAWN: 'Withdrawn',
    requestedBy: (name: string) => `Requested by ${name}`,
    answer: (reason: string) => `Answer: ${reason}`,
    withdraw: 'Withdraw',
    withdrawIt: (scope: string) => `Withdraw the request for ${scope}`,
    withdrawn: 'The request has been withdrawn',
    askTitle: (name: string) => `Request critical scopes for ${name}`,
    which: 'Which ones?',
    whichMissing: 'Choose at least one.',
    purpose: 'What it will use them for',
    purposeHint: (least: number) =>
      `The operator of the server reads it before the decision. At least ${least} characters.`,
    send: 'Send the request',
    sent: (count: number) =>
      `${count} ${plural('en', count, 'request', 'requests')} sent. You will receive the answer by mail.`,
  },
})
