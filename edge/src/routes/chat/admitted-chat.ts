import { type Principal } from '../../middleware/principal.ts';
import { type QuotaReservation } from '../../quota/quota-reservation.ts';
import { type ParsedChat } from './parse-chat.ts';

/** A valid chat request, its principal, and the reservation of its quotas. */
export interface AdmittedChat {
  chat: ParsedChat;
  principal: Principal;
  reservation: QuotaReservation;
}
