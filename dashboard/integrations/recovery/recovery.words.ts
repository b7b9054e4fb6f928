import { countText } from '../../parts/number-text.ts'
import { plural, words } from '../../words/words.ts'

/** The texts of recoveries and replays. */
export const recoveryTexts = words({
  es: {
    title: 'Recuperaciones y repeticiones',
    about: 'Se hace una a la vez, al ritmo que elijas.',
    reading: 'Leyendo las recuperaciones',
    none: 'Todavía ninguna.',
    noWebhook: 'La aplicación no tiene webhook',
    noWebhookAbout: 'Sin webhook no hay a dónde enviar.',
    toWebhook: 'Ver el webhook',
    isHeld: 'El webhook está en pausa o la aplicación desactivada: reanúdalo o actívala antes.',
    isRunning: 'Espera a que termine la que está en marcha, o párala.',
    recoverTitle: 'Recuperar entregas',
    recoverAbout:
      'Envía otra vez las que fallaron, todas las que el filtro encuentre. Cada una tiene cinco intentos, como una nueva.',
    recoverAction: 'Recuperar…',
    replayTitle: 'Repetir eventos',
    replayAbout:
      'Entrega eventos de las últimas 24 horas que la aplicación nunca recibió, por ejemplo porque se suscribió tarde.',
    replayAction: 'Repetir…',
    application: 'Aplicación',
    status: 'Estado',
    event: 'Evento',
    allEvents: 'Todos los eventos',
    time: 'Momento',
    allTime: 'Todo lo guardado, 30 días',
    '1h': 'La última hora',
    '6h': 'Las últimas 6 horas',
    '24h': 'Las últimas 24 horas',
    '7d': 'Los últimos 7 días',
    rate: 'Por segundo',
    rateHint: (most: number) => `De 1 a ${most}. Elige lo que tu receptor aguante.`,
    counting: 'Contando…',
    found: (count: number) =>
      `${plural('es', count, 'Se encuentra', 'Se encuentran')} ${countText(count, 'es', Number.POSITIVE_INFINITY)} ${plural('es', count, 'entrega', 'entregas')}.`,
    foundEvents: (count: number) =>
      `${plural('es', count, 'Se encuentra', 'Se encuentran')} ${countText(count, 'es', Number.POSITIVE_INFINITY)} ${plural('es', count, 'evento', 'eventos')} sin entregar.`,
    foundNone: 'No se encuentra ninguna: no hay nada que enviar.',
    takes: (duration: string) => `Si el receptor responde bien, tarda unos ${duration}.`,
    more: 'Hay más de las que caben en una: después, empieza otra para el resto.',
    startRecovery: (count: number) =>
      `Recuperar ${countText(count, 'es', Number.POSITIVE_INFINITY)} ${plural('es', count, 'entrega', 'entregas')}`,
    startReplay: (count: number) =>
      `Repetir ${countText(count, 'es', Number.POSITIVE_INFINITY)} ${plural('es', count, 'evento', 'eventos')}`,
    start: 'Empezar',
    startedRecovery: (count: number) =>
      `Se recuperan ${countText(count, 'es', Number.POSITIVE_INFINITY)} ${plural('es', count, 'entrega', 'entregas')}`,
    startedReplay: (count: number) =>
      `Se repiten ${countText(count, 'es', Number.POSITIVE_INFINITY)} ${plural('es', count, 'evento', 'eventos')}`,
    RECOVERY: 'Recuperación',
    REPLAY: 'Repetición',
    RUNNING: 'En marcha',
    DONE: 'Terminada',
    CANCELLED: 'Parada',
    progress: (done: string, total: string) => `${done} de ${total}`,
    perSecond: (count: number) => `${count} por segundo`,
    waiting: (count: string) => `${count} en espera`,
    cancelled: (count: string) => `${count} sin enviar`,
    stop: 'Parar…',
    stopIt: (kind: string) => `Parar: ${kind}…`,
    stopQuestion: '¿Parar?',
    stopAction: 'Parar',
    stopAbout:
      'Las que tocan en dos segundos y las ya intentadas se envían todavía. Las demás vuelven a su estado anterior; las de una repetición quedan canceladas.',
    stopped: (count: string) => `Parada: ${count} sin enviar`,
  },
  en: {
    title: 'Recoveries and replays',
    about: 'One at a time, at the rate that you choose.',
    reading: 'Reading the recoveries',
    none: 'None yet.',
    noWebhook: 'The application has no webhook',
    noWebhookAbout: 'Without a webhook there is no address to send to.',
    toWebhook: 'See the webhook',
    isHeld: 'The webhook is paused or the application disabled: resume or enable it first.',
    isRunning: 'Wait until the one that is running ends, or stop it.',
    recoverTitle: 'Recover deliveries',
    recoverAbout:
      'Sends those that failed again, all that the filter finds. Each gets five attempts, like a new one.',
    recoverAction: 'Recover…',
    replayTitle: 'Replay events',
    replayAbout:
      'Delivers events of the last 24 hours that the application never received, for example because it subscribed too late.',
    replayAction: 'Replay…',
    application: 'Application',
    status: 'Status',
    event: 'Event',
    allEvents: 'All events',
    time: 'Time',
    allTime: 'All that is stored, 30 days',
    '1h': 'The last hour',
    '6h': 'The last 6 hours',
    '24h': 'The last 24 hours',
    '7d': 'The last 7 days',
    rate: 'Per second',
    rateHint: (most: number) => `From 1 to ${most}. Choose what your receiver can bear.`,
    counting: 'Counting…',
    found: (count: number) =>
      `Finds ${countText(count, 'en', Number.POSITIVE_INFINITY)} ${plural('en', count, 'delivery', 'deliveries')}.`,
    foundEvents: (count: number) =>
      `Finds ${countText(count, 'en', Number.POSITIVE_INFINITY)} ${plural('en', count, 'event', 'events')} that ${plural('en', count, 'was', 'were')} not delivered.`,
    foundNone: 'Finds none: there is nothing to send.',
    takes: (duration: string) => `If the receiver answers well, it takes about ${duration}.`,
    more: 'There are more than one recovery takes: start another one for the rest afterwards.',
    startRecovery: (count: number) =>
      `Recover ${countText(count, 'en', Number.POSITIVE_INFINITY)} ${plural('en', count, 'delivery', 'deliveries')}`,
    startReplay: (count: number) =>
      `Replay ${countText(count, 'en', Number.POSITIVE_INFINITY)} ${plural('en', count, 'event', 'events')}`,
    start: 'Start',
    startedRecovery: (count: number) =>
      `Recovering ${countText(count, 'en', Number.POSITIVE_INFINITY)} ${plural('en', count, 'delivery', 'deliveries')}`,
    startedReplay: (count: number) =>
      `Replaying ${countText(count, 'en', Number.POSITIVE_INFINITY)} ${plural('en', count, 'event', 'events')}`,
    RECOVERY: 'Recovery',
    REPLAY: 'Replay',
    RUNNING: 'Running',
    DONE: 'Done',
    CANCELLED: 'Stopped',
    progress: (done: string, total: string) => `${done} of ${total}`,
    perSecond: (count: number) => `${count} per second`,
    waiting: (count: string) => `${count} waiting`,
    cancelled: (count: string) => `${count} not sent`,
    stop: 'Stop…',
    stopIt: (kind: string) => `Stop the ${kind.toLowerCase()}…`,
    stopQuestion: 'Stop it?',
    stopAction: 'Stop',
    stopAbout:
      'Those that are due within two seconds or were tried already are still sent. The others return to their former state; those of a replay are cancelled.',
    stopped: (count: string) => `Stopped: ${count} not sent`,
  },
})
