import { plural, words } from '../../words/words.ts'

export const reconciliationTexts = words({
  es: {
    title: 'Conciliación',
    reading: 'Leyendo la conciliación',
    allAgrees: 'La pasarela y el libro coinciden',
    allAgreesAbout: 'Cada noche se comparan los movimientos de los últimos tres días. No hay nada que mirar.',
    differences: 'Diferencias',
    differencesAbout:
      'Movimientos en los que la pasarela y el libro no dicen lo mismo. Cada uno desaparece cuando los dos lados coinciden, o cuando alguien lo da por resuelto.',
    gateway: 'La pasarela dice',
    ledger: 'El libro dice',
    nothing: 'Nada',
    probably: 'Probablemente',
    payment: 'Cobro',
    refund: 'Devolución',
    dispute: 'Disputa',
    found: 'Encontrada',
    settle: 'Dar por resuelta…',
    settleQuestion: (id: string) => `¿Dar por resuelta la diferencia de ${id}?`,
    settleAbout:
      'La diferencia deja de aparecer. El libro no cambia: lo que haya que corregir se corrige en la factura o en la pasarela. El motivo queda guardado con tu nombre.',
    settleAction: (amount: string) => `Dar por resueltos ${amount}`,
    settled: 'La diferencia está resuelta.',
    MISSING_HERE_payment:
      'Se cobró en la pasarela a nombre de esta organización, y el libro no pudo anotarlo en ninguna factura. Búscalo en la pasarela por su identificador.',
    MISSING_HERE_refund:
      'Alguien devolvió el dinero en la propia pasarela, y el libro no pudo anotarlo. Durante tres noches se vuelve a intentar.',
    MISSING_HERE_dispute:
      'El titular de la tarjeta reclamó el pago a su banco, y el libro no pudo anotarlo. Contesta la disputa en la pasarela.',
    MISSING_THERE_payment:
      'La pasarela deshizo el cobro después de confirmarlo, o las claves son ahora de otra cuenta. Búscalo en la pasarela por su identificador.',
    MISSING_THERE_refund:
      'El banco rechazó la devolución y la pasarela la retiró. El cliente no ha recibido el dinero.',
    MISSING_THERE_dispute: 'La disputa se retiró o se ganó, y el dinero volvió.',
    AMOUNT:
      'Los dos conocen el movimiento, con importes distintos: una parte se cobró o se devolvió directamente en la pasarela.',
    overpaid: 'Cobrado de más',
    overpaidAbout: 'Facturas que se pagaron dos veces o de más. Lo que sobra se devuelve desde la factura.',
    refundedPart: 'Devuelto',
    stuck: 'Cobros sin resultado',
    stuckAbout:
      'La pasarela no da el resultado desde hace más de una hora. El servidor sigue preguntando: no los repitas.',
    stuckRefunds: 'Devoluciones sin respuesta',
    stuckRefundsAbout:
      'Se pidieron hace más de una hora y la pasarela no contesta. El servidor sigue preguntando: no las repitas.',
    disputed: 'En disputa',
    disputedAbout:
      'El titular de la tarjeta reclama estos pagos a su banco. Se contestan en la pasarela, dentro de su plazo.',
    openInvoice: 'Abrir la factura',
    foreign: (count: number) =>
      `${count} ${plural('es', count, 'movimiento', 'movimientos')} de los últimos tres días en la pasarela no ${plural('es', count, 'es', 'son')} de esta organización, porque la cuenta también se usa en otro sitio. No son diferencias.`,
  },
  en: {
    title: 'Reconciliation',
    reading: 'Reading the reconciliation',
    allAgrees: 'The gateway and the ledger agree',
    allAgreesAbout:
      'Every night the movements of the last three days are compared. There is nothing to examine.',
    differences: 'Differences',
    differencesAbout:
      'Movements of which the gateway and the ledger do not say the same. Each disappears when both sides agree, or when somebody settles it.',
    gateway: 'The gateway says',
    ledger: 'The ledger says',
    nothing: 'Nothing',
    probably: 'Probably',
    payment: 'Payment',
    refund: 'Refund',
    dispute: 'Dispute',
    found: 'Found',
    settle: 'Settle…',
    settleQuestion: (id: string) => `Settle the difference of ${id}?`,
    settleAbout:
      'The difference is no longer shown. The ledger does not change: what is wrong is corrected in the invoice or at the gateway. The reason is kept with your name.',
    settleAction: (amount: string) => `Settle ${amount}`,
    settled: 'The difference is settled.',
    MISSING_HERE_payment:
      'It was collected at the gateway for this organization, and the ledger could book it to no invoice. Look for it at the gateway by its identifier.',
    MISSING_HERE_refund:
      'Somebody refunded it at the gateway itself, and the ledger could not book it. It is tried again for three nights.',
    MISSING_HERE_dispute:
      'The holder of the card disputed the payment at their bank, and the ledger could not book it. Answer the dispute at the gateway.',
    MISSING_THERE_payment:
      'The gateway undid the payment after it had confirmed it, or the keys now belong to another account. Look for it at the gateway by its identifier.',
    MISSING_THERE_refund:
      'The bank refused the refund, and the gateway withdrew it. The client has not received the money.',
    MISSING_THERE_dispute: 'The dispute was withdrawn or won, and the money came back.',
    AMOUNT:
      'Both know the movement, with different amounts: a part was collected or refunded at the gateway itself.',
    overpaid: 'Collected too much',
    overpaidAbout: 'Invoices that were paid twice or too high. The excess is refunded from the invoice.',
    refundedPart: 'Refunded',
    stuck: 'Charges without a result',
    stuckAbout:
      'The gateway has given no result for more than an hour. The server keeps asking: do not repeat them.',
    stuckRefunds: 'Refunds without an answer',
    stuckRefundsAbout:
      'They were requested more than an hour ago, and the gateway does not answer. The server keeps asking: do not repeat them.',
    disputed: 'Disputed',
    disputedAbout:
      'The holder of the card disputes these payments at their bank. They are answered at the gateway, before its deadline.',
    openInvoice: 'Open the invoice',
    foreign: (count: number) =>
      `${count} ${plural('en', count, 'movement', 'movements')} of the last three days at the gateway ${plural('en', count, 'does', 'do')} not belong to this organization, because the account is also used elsewhere. They are not differences.`,
  },
})
