package dev.ebb.store;
import java.util.*;
class Dbg {
  public static void main(String[] a){
    Random r=new Random(Long.parseLong(a[0])*0x9E3779B97F4A7C15L);
    StoreFixture f=StoreSteps.filled(r);
    int slice=1+r.nextInt(4);
    for(StreamState s: f.store.streams()){
      try{ f.predict(s,slice);}catch(Throwable t){System.out.println(s+" slice "+slice+" "+s.policy()+" held "+s.isHeld());
       for(Segment g: s.segments()) System.out.println(g+" "+g.execution+" "+Arrays.toString(g.events)+" due "+(s.nextDueMs(g)-f.nowMs));
       f.reader().list(s.stream(),null,1000).events().forEach(e->System.out.println(e.event().id()+" seq"+e.seq()+" x"+e.event().execution()+" "+(e.storedAt()-f.nowMs)+" "+e.event().ttl()+" "+e.event().completedAt()));
      }
    }
  }
}
