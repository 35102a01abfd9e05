/** Defines how parts of a run observe its requests and exchanges. */
import type { Exchange, SentExchange, TargetRequest } from './client.js';
import type { ReceivedResponse, SentRequest } from './exchange.js';

/** `broken`: there was no complete response, or a 502, 503 or 504 by chance. `limited`: the request was refused because of a limit. */
export type ResendReason = 'broken' | 'limited';

export interface TrafficObserver {
  /** Throws to prevent a request that the suite must not send. */
  beforeSend?(sent: SentRequest, request: TargetRequest): void;
  /** The request is sent again. */
  onResend?(why: ResendReason): void;
  /** The request may never get a response. */
  onSent?(exchange: SentExchange, sent: SentRequest): void;
  /** The head of the response has arrived. */
  onHead?(exchange: SentExchange, head: Pick<ReceivedResponse, 'status' | 'rawHeaders'>): void;
  /** A part of its body has arrived. */
  onChunk?(exchange: SentExchange, bytes: Uint8Array): void;
  /** A check has read the status or the body of the response. */
  onRead?(exchange: Exchange): void;
  /**
   * The request has ended without a whole response.
   *
   * @param isBroken whether its connection broke. Otherwise the suite ended it, or there was no connection.
   */
  onFailed?(exchange: SentExchange, isBroken: boolean): void;
  /** Called in the order in which exchanges finish. */
  onFinished?(exchange: Exchange): void;
}
